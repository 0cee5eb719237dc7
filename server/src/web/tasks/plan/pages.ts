import type { FastifyPluginAsync } from "fastify";
import { planForm } from "./plan-page.js";

/** The plan of maintenance work. */
export const planPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);
  await app.register(planForm);
};

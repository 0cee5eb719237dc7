import type { FastifyPluginAsync } from "fastify";
import { planForm } from "./plan-page.js";
import { requireMember } from "../../../plugins/members.js";

/** The plan of maintenance work. */
export const planPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(planForm);
};

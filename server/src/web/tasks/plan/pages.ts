import type { FastifyPluginAsync } from "fastify";
import { planForm } from "./plan-page.js";
import { requireMember } from "../../../plugins/members.js";

export const planPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(planForm);
};

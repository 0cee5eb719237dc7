import type { FastifyPluginAsync } from "fastify";
import { deleteFileForm } from "./delete-form.js";
import { fileRoutes } from "./file-routes.js";
import { filesForms } from "./files-form.js";
import { requireMember } from "../../plugins/members.js";

export const filePages: FastifyPluginAsync = async (app) => {
  await app.register(fileRoutes);
  await app.register(async (forms) => {
    forms.addHook("preHandler", requireMember);
    await forms.register(filesForms);
    await forms.register(deleteFileForm);
  });
};

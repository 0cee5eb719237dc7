import type { FastifyPluginAsync } from "fastify";
import { editMeterForm, newMeterForm, removeMeterForm } from "./meter-forms.js";
import { meterPage } from "./meter-page.js";
import { readingsForm } from "./readings-page.js";
import { requireMember } from "../../plugins/members.js";

export const meterPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(readingsForm);
  await app.register(newMeterForm);
  await app.register(meterPage);
  await app.register(editMeterForm);
  await app.register(removeMeterForm);
};

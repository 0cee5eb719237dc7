import type { FastifyPluginAsync } from "fastify";
import { calendarForms } from "./calendar-forms.js";
import { mailChoicesForm } from "./mail-choices.js";
import { requireMember } from "../../../plugins/members.js";

/** `/settings/notifications`: notifications about tasks outside these pages. */
export const notificationPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(mailChoicesForm);
  await app.register(calendarForms);
};

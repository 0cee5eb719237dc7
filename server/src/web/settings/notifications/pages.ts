import type { FastifyPluginAsync } from "fastify";
import { pushForms } from "./push-panel.js";
import { calendarForms } from "./calendar-forms.js";
import { notificationChoicesForm } from "./choices.js";
import { requireMember } from "../../../plugins/members.js";

/** `/settings/notifications`: notifications about tasks outside these pages. */
export const notificationPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(notificationChoicesForm);
  await app.register(pushForms);
  await app.register(calendarForms);
};

import type { FastifyPluginAsync } from "fastify";
import { labelRoutes } from "./assets/label-files.js";
import { calendarRoutes } from "./tasks/calendar/calendar-routes.js";
import { unsubscribeRoute } from "./messaging/unsubscribe/unsubscribe.js";

/** What is open to whoever has the secret address of it, without a session: labels, calendars, and the end of mails. */
export const linkRoutes: FastifyPluginAsync = async (app) => {
  await app.register(labelRoutes);
  await app.register(calendarRoutes);
  await app.register(unsubscribeRoute);
};

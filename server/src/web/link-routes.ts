import type { FastifyPluginAsync } from "fastify";
import { labelRoutes } from "./assets/label-files.js";
import { calendarRoutes } from "./tasks/calendar/calendar-routes.js";
import { unsubscribeRoute } from "./messaging/unsubscribe/unsubscribe.js";

/** Routes that need a secret address and no session: labels, calendars and unsubscribing. */
export const linkRoutes: FastifyPluginAsync = async (app) => {
  await app.register(labelRoutes);
  await app.register(calendarRoutes);
  await app.register(unsubscribeRoute);
};

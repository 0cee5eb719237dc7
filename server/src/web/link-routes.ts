import type { FastifyPluginAsync } from "fastify";
import { labelRoutes } from "./assets/label-files.js";
import { calendarRoutes } from "./calendar/calendar-routes.js";

/** What is open to whoever has the secret address of it, without a session: labels, and calendars. */
export const linkRoutes: FastifyPluginAsync = async (app) => {
  await app.register(labelRoutes);
  await app.register(calendarRoutes);
};

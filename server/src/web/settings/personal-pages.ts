import type { FastifyPluginAsync } from "fastify";
import { activityPages } from "./activity.js";
import { connectedAppsPages } from "./apps.js";
import { passwordPages } from "./password.js";
import { profilePages } from "./profile.js";
import { sessionPages } from "./sessions.js";

/** Settings of the person: profile, password, sessions, Connected Apps, activity. */
export const personalSettingsPages: FastifyPluginAsync = async (app) => {
  await app.register(profilePages);
  await app.register(passwordPages);
  await app.register(sessionPages);
  await app.register(connectedAppsPages);
  await app.register(activityPages);
};

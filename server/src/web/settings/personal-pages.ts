import type { FastifyPluginAsync } from "fastify";
import { activityPages } from "./activity.js";
import { connectedAppsPages } from "./apps.js";
import { cancelEmailForm, emailForm } from "./email.js";
import { keyboardPage } from "./keyboard.js";
import { passwordForm } from "./password.js";
import { profileForm } from "./profile.js";
import { securityPages } from "./security/pages.js";
import { sessionPages } from "./sessions.js";
import { readMember } from "../../plugins/members.js";

/** Settings of the person: profile, password, second factors, sessions, Connected Apps, activity. */
export const personalSettingsPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", readMember);
  await app.register(profileForm);
  await app.register(emailForm);
  await app.register(cancelEmailForm);
  await app.register(passwordForm);
  await app.register(securityPages);
  await app.register(sessionPages);
  await app.register(connectedAppsPages);
  await app.register(activityPages);
  await app.register(keyboardPage);
};

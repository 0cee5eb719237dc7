import type { FastifyPluginAsync } from "fastify";
import {
  changeWebhookForm,
  newWebhookForm,
  removeWebhookForm,
  resumeWebhookForm,
  secretForm,
  stopWebhookForm,
  testWebhookForm,
} from "./forms.js";
import { webhookOverviewPages } from "./overview.js";

export const webhookPages: FastifyPluginAsync = async (app) => {
  await app.register(webhookOverviewPages);
  await app.register(newWebhookForm);
  await app.register(changeWebhookForm);
  await app.register(secretForm);
  await app.register(testWebhookForm);
  await app.register(stopWebhookForm);
  await app.register(resumeWebhookForm);
  await app.register(removeWebhookForm);
};

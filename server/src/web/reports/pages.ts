import type { FastifyPluginAsync } from "fastify";
import { outcomePages } from "./outcome-page.js";
import { reportForm } from "./report-form.js";
import { triagePages } from "./triage-page.js";

export const reportPages: FastifyPluginAsync = async (app) => {
  await app.register(reportForm);
  await app.register(outcomePages);
  await app.register(triagePages);
};

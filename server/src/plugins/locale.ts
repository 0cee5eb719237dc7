import type { onRequestHookHandler } from "fastify";
import fp from "fastify-plugin";
import { inLocaleOf } from "../web/layout/reply.js";

const enter: onRequestHookHandler = (request, _reply, done) => {
  inLocaleOf(request, done);
};

/** Whatever is written for a request is in the language of whoever reads it. */
export const localePlugin = fp(async (app) => {
  app.addHook("onRequest", enter);
  // What waits for the end of the body may have lost it.
  app.addHook("preValidation", enter);
});

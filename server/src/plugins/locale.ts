import type { onRequestHookHandler } from "fastify";
import fp from "fastify-plugin";
import { inLocaleOf } from "../web/layout/reply.js";

const enter: onRequestHookHandler = (request, _reply, done) => {
  inLocaleOf(request, done);
};

/** Runs each request in the reader's language. */
export const localePlugin = fp(async (app) => {
  app.addHook("onRequest", enter);
  // The language may be lost while waiting for the end of the body.
  app.addHook("preValidation", enter);
});

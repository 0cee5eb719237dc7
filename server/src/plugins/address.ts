import fp from "fastify-plugin";
import { callerGone } from "../db/request-queries.js";

/**
 * Stores `request.ip`, which a closed socket no longer reveals. A client that has already
 * disconnected has none.
 */
export const addressPlugin = fp(async (app) => {
  app.addHook("onRequest", (request, _reply, done) => {
    const ip = request.ip as string | undefined;
    Object.defineProperty(request, "ip", { value: ip });
    done(ip === undefined ? callerGone() : undefined);
  });
});

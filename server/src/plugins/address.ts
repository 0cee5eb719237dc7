import fp from "fastify-plugin";
import { callerGone } from "../db/request-queries.js";

/** Keeps `request.ip`, which a socket tells no more once it is closed. Who is gone already has none. */
export const addressPlugin = fp(async (app) => {
  app.addHook("onRequest", (request, _reply, done) => {
    const ip = request.ip as string | undefined;
    Object.defineProperty(request, "ip", { value: ip });
    done(ip === undefined ? callerGone() : undefined);
  });
});

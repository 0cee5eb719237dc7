import { setTimeout as pause } from "node:timers/promises";
import fp from "fastify-plugin";
import { AppError } from "../errors.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether the server is to be asked no more. */
    isStopping: () => boolean;
    /** Serves on for a while, but is no longer ready: time for load balancers to ask others. */
    drain: (ms: number) => Promise<void>;
  }
}

/**
 * The way out of a server: it says that it is not ready and closes each connection with its answer;
 * then, while it closes, what is under way ends, and what still comes is refused.
 */
export const stoppingPlugin = fp(async (app) => {
  let isDraining = false;
  let isClosing = false;
  app.decorate("isStopping", () => isDraining || isClosing);
  app.decorate("drain", async (ms) => {
    isDraining = true;
    await pause(ms);
  });
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  app.addHook("onRequest", (_request, _reply, done) => {
    if (isClosing) done(new AppError("unavailable", "stopping", { retry_after_seconds: 2 }));
    else done();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isDraining || isClosing) void reply.header("connection", "close");
    done();
  });
});

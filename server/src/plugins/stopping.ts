import { setTimeout as pause } from "node:timers/promises";
import fp from "fastify-plugin";
import { AppError } from "../errors.js";

export interface Stopping {
  /** Whether load balancers should ask other servers. */
  isStopping: () => boolean;
  /** Serves on for a while, but is no longer ready: time for load balancers to ask others. */
  drain: (ms: number) => Promise<void>;
  /** Whether what still comes is refused. */
  isClosing: () => boolean;
  beginClosing: () => void;
}

export function createStopping(): Stopping {
  let isDraining = false;
  let isClosing = false;
  return {
    isStopping: () => isDraining || isClosing,
    drain: async (ms) => {
      isDraining = true;
      await pause(ms);
    },
    isClosing: () => isClosing,
    beginClosing: () => {
      isClosing = true;
    },
  };
}

/**
 * The way out of a server: it says that it is not ready and closes each connection with its answer;
 * then, while it closes, what is under way ends, and what still comes is refused.
 */
export const stoppingPlugin = fp(async (app) => {
  const { isStopping, isClosing, beginClosing } = app.services;
  app.addHook("preClose", (done) => {
    beginClosing();
    done();
  });
  app.addHook("onRequest", (_request, _reply, done) => {
    if (isClosing()) done(new AppError("unavailable", "stopping", { retry_after_seconds: 2 }));
    else done();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isStopping()) void reply.header("connection", "close");
    done();
  });
});

import { setTimeout as pause } from "node:timers/promises";
import fp from "fastify-plugin";
import { AppError } from "../errors.js";

export interface Stopping {
  /** True if load balancers should use other servers. */
  isStopping: () => boolean;
  /** Continues to serve for a while but isn't ready, so load balancers switch to other servers. */
  drain: (ms: number) => Promise<void>;
  /** True if new requests are rejected. */
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
 * Graceful shutdown. First the server reports that it isn't ready and closes each connection with
 * its response. Then, while it closes, running requests finish and new ones are rejected.
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

import type { FastifyBaseLogger } from "fastify";
import type { DataSource } from "typeorm";
import { cleanUpAuthorization } from "./domain/oauth/oauth-cleanup.js";
import { cleanUpIdempotencyRecords } from "./domain/changes/idempotency.js";
import { cleanUpMails } from "./domain/mail/outbox.js";
import { cleanUpPasswordResets } from "./domain/accounts/password-resets.js";
import { cleanUpSessions } from "./domain/accounts/sessions.js";
import { cleanUpSignUps } from "./domain/accounts/sign-ups.js";
import { cleanUpToolCalls } from "./domain/logs/tool-calls.js";

const everyMs = 10 * 60_000;

/** Removes what has outlived its use, every ten minutes. The returned function ends it. */
export function startHousekeeping(db: DataSource, log: FastifyBaseLogger): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => cleanUp(db, log));
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function cleanUp(db: DataSource, log: FastifyBaseLogger): Promise<void> {
  for (const task of [
    cleanUpAuthorization,
    cleanUpSessions,
    cleanUpIdempotencyRecords,
    cleanUpToolCalls,
    cleanUpMails,
    cleanUpPasswordResets,
    cleanUpSignUps,
  ]) {
    try {
      await task(db);
    } catch (error) {
      log.error({ err: error, task: task.name }, "housekeeping failed");
    }
  }
}

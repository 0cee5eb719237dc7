import type { FastifyBaseLogger } from "fastify";
import type { DataSource } from "typeorm";
import { cleanUpAuthorization } from "./domain/oauth/oauth-cleanup.js";
import { keepAudit } from "./domain/audit/audit-retention.js";
import type { AuditSigner } from "./domain/audit/audit-signer.js";
import { cleanUpInvites } from "./domain/invites/invite-endings.js";
import { cleanUpIdempotencyRecords } from "./domain/changes/idempotency.js";
import { cleanUpMails } from "./domain/mail/outbox.js";
import { cleanUpPasswordResets } from "./domain/accounts/password-resets.js";
import { sumUpFigures } from "./domain/stats/sum-up-figures.js";
import { cleanUpSessions } from "./domain/accounts/sessions.js";
import { cleanUpSignUps } from "./domain/accounts/sign-ups.js";
import { cleanUpToolCalls } from "./domain/logs/tool-calls.js";
import { cleanUpChallenges } from "./domain/second-factors/challenges.js";
import { housekeepingRuns, housekeepingSuccess } from "./metrics.js";
import type { Retention } from "./domain/values/retention.js";

const everyMs = 10 * 60_000;

/** Removes what has outlived its use, sums up figures and signs the audit, every ten minutes. The returned function ends it. */
export function startHousekeeping(
  db: DataSource,
  retention: Retention,
  signer: AuditSigner,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => cleanUp(db, retention, signer, log));
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

export async function cleanUp(
  db: DataSource,
  retention: Retention,
  signer: AuditSigner,
  log: Pick<FastifyBaseLogger, "error">,
): Promise<void> {
  for (const task of [
    sumUpFigures,
    cleanUpAuthorization,
    cleanUpSessions,
    cleanUpIdempotencyRecords,
    cleanUpToolCalls,
    keepAudit,
    cleanUpInvites,
    cleanUpMails,
    cleanUpPasswordResets,
    cleanUpSignUps,
    cleanUpChallenges,
  ]) {
    try {
      await task(db, retention, signer);
      housekeepingRuns.inc({ task: task.name, outcome: "ok" });
      housekeepingSuccess.setToCurrentTime({ task: task.name });
    } catch (error) {
      housekeepingRuns.inc({ task: task.name, outcome: "error" });
      log.error({ err: error, task: task.name }, "housekeeping failed");
    }
  }
}

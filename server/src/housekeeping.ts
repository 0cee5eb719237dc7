import type { FastifyBaseLogger } from "fastify";
import type { Database } from "./db/database.js";
import type { Config } from "./config.js";
import { isEmbedded } from "./db/pools.js";
import { vacuumEmbedded } from "./db/vacuum.js";
import { cleanUpAuthorization, forgetSuccessors } from "./domain/oauth/oauth-cleanup.js";
import { keepAudit } from "./domain/audit/audit-retention.js";
import type { AuditSigner } from "./domain/audit/audit-signer.js";
import { endExpiredConnections } from "./domain/oauth/connections-ended.js";
import { cleanUpInvites } from "./domain/people/invite-endings.js";
import { cleanUpConfirmations } from "./domain/access/confirmations.js";
import { endDueMemberships } from "./domain/people/access-end.js";
import { cleanUpChangeSets } from "./domain/history/change-sets.js";
import { cleanUpFileObjects } from "./domain/files/file-objects.js";
import type { ObjectStore } from "./domain/files/object-store.js";
import { cleanUpIdempotencyRecords } from "./domain/history/idempotency.js";
import { cleanUpMails } from "./domain/messaging/outbox.js";
import { cleanUpNotifications } from "./domain/messaging/notification-queue.js";
import { cleanUpPasswordResets } from "./domain/accounts/password-resets.js";
import { rollUpFigures } from "./domain/insight/roll-up-figures.js";
import { cleanUpEmailChanges } from "./domain/accounts/email-changes.js";
import { cleanUpSessions } from "./domain/accounts/sessions.js";
import { cleanUpTypedForms } from "./domain/accounts/typed-forms.js";
import { cleanUpSignUps } from "./domain/accounts/sign-ups.js";
import { cleanUpToolCalls } from "./domain/audit/tool-calls.js";
import { cleanUpChallenges } from "./domain/accounts/challenges.js";
import { cleanUpDeliveries } from "./domain/messaging/webhook-deliveries.js";
import { housekeepingRuns, housekeepingSuccess } from "./metrics.js";
import { repeat } from "./domain/shared/repeat.js";
import { cleanUpKeptPhotos } from "./domain/reports/kept-photos.js";
import { cleanUpTaskLinks } from "./domain/tasks/task-links.js";
import { cleanUpReporters } from "./domain/reports/report-cleanup.js";
import { deleteGivenUpSamples } from "./demo/own-sample.js";
import type { Retention } from "./domain/shared/retention.js";

const everyTenMinutes = 10 * 60_000;
/**
 * Memberships end with the day in the organization's time zone, connections at an exact time.
 * Statistics read every unsummed difference. A clock can be set back by any amount, so successors
 * must go soon.
 */
const everyMinute = 60_000;

/**
 * Runs the housekeeping. At the start and each minute: ends due memberships and connections. Each
 * minute: sums up figures and forgets successors of refresh tokens. Every ten minutes: deletes
 * expired data, signs the audit log and vacuums the embedded database. The returned function stops
 * it.
 */
export function startHousekeeping(
  db: Database,
  { retention, refreshGraceSeconds }: Pick<Config, "retention" | "refreshGraceSeconds">,
  signer: AuditSigner,
  log: FastifyBaseLogger,
  objects?: ObjectStore,
): () => Promise<void> {
  // Separate loops, so a slow file store doesn't delay the end of memberships.
  const context = { db, retention, signer, log };
  const memberships = repeat(everyMinute, () =>
    run([endDueMemberships, endExpiredConnections], context),
  );
  const figures = repeat(everyMinute, () => run([rollUpFigures], context));
  const successors = repeat(everyMinute, () =>
    run([forgetSuccessorsAfter(refreshGraceSeconds)], context),
  );
  const cleaning = repeat(everyTenMinutes, () => cleanUp(db, retention, signer, log, objects));
  memberships.wake();
  return async () => {
    const all = [memberships, figures, successors, cleaning];
    await Promise.all(all.map((one) => one.stop()));
  };
}

export async function cleanUp(
  db: Database,
  retention: Retention,
  signer: AuditSigner,
  log: ErrorLog,
  objects?: ObjectStore,
): Promise<void> {
  const tasks = [
    cleanUpAuthorization,
    cleanUpSessions,
    cleanUpIdempotencyRecords,
    cleanUpToolCalls,
    keepAudit,
    cleanUpInvites,
    cleanUpMails,
    cleanUpNotifications,
    cleanUpDeliveries,
    cleanUpPasswordResets,
    cleanUpEmailChanges,
    cleanUpSignUps,
    cleanUpTypedForms,
    cleanUpKeptPhotos,
    cleanUpChallenges,
    cleanUpConfirmations,
    cleanUpChangeSets,
    cleanUpReporters,
    cleanUpTaskLinks,
    deleteGivenUpSamples,
    ...(objects === undefined ? [] : [cleanUpFileObjectsIn(objects)]),
    ...(isEmbedded(db) ? [vacuumEmbedded] : []),
  ];
  await run(tasks, { db, retention, signer, log });
}

type ErrorLog = Pick<FastifyBaseLogger, "error">;
type Task = (db: Database, retention: Retention, signer: AuditSigner) => Promise<unknown>;

interface TaskContext {
  db: Database;
  retention: Retention;
  signer: AuditSigner;
  log: ErrorLog;
}

async function run(
  tasks: readonly Task[],
  { db, retention, signer, log }: TaskContext,
): Promise<void> {
  for (const task of tasks) {
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

/** Metrics count by function name. */
function cleanUpFileObjectsIn(objects: ObjectStore) {
  return { cleanUpFileObjects: (db: Database) => cleanUpFileObjects(db, objects) }
    .cleanUpFileObjects;
}

/** Named for metrics, with the operator's setting. */
function forgetSuccessorsAfter(graceSeconds: number) {
  return { forgetSuccessors: (db: Database) => forgetSuccessors(db, graceSeconds) }
    .forgetSuccessors;
}

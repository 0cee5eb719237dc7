import { setTimeout as pause } from "node:timers/promises";
import type { Database, Tx } from "../../db/database.js";
import { RetryTransaction } from "../../db/retry-transaction.js";
import { isConnectionLost } from "../../db/connection-errors.js";
import { AppError } from "../../errors.js";
import { confirmAccess } from "../access/confirm-access.js";
import type { Caller } from "../access/caller.js";
import { isDeadlock, isForeignKeyViolation, isUnknownTimeZone } from "../../db/query-errors.js";
import { unknownTimeZone } from "../shared/time-zones.js";

/** Attempts for a transaction that conflicts with another. A failed attempt changes nothing. */
const maxAttempts = 5;

/** The database and caller of a change. The caller is null for changes by the server itself. */
export interface Writer {
  db: Database;
  caller: Caller | null;
  /**
   * For a change without a caller: records the commit. A later error must not claim that nothing
   * was changed.
   */
  request?: { hasCommitted: boolean };
}

/**
 * Runs a change in its own transaction. Retries after a deadlock, a reference to a record deleted
 * meanwhile, or RetryTransaction. The last step before the commit confirms that the caller still has
 * access. No change is committed after access ends.
 */
export async function commit<Result>(
  { db, caller, request }: Writer,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const found = caller?.accessEpoch;
  const result = await withRetry(() =>
    transact(db, async (tx) => {
      // A rollback also reverts an increased epoch.
      if (caller !== null && found !== undefined) caller.accessEpoch = found;
      const done = await work(tx);
      if (caller !== null) await confirmAccess(tx, caller);
      return done;
    }),
  );
  if (caller !== null) caller.hasCommitted = true;
  if (request !== undefined) request.hasCommitted = true;
  return result;
}

/** Runs a change with all checks and rolls it back. Returns the result it would have had. */
export function dryRun<Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return withRetry(() => runAndRollBack(db, work));
}

async function withRetry<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await run();
    } catch (error) {
      if (isForeignKeyViolation(error) && attempts < maxAttempts) continue;
      if (!isDeadlock(error) && !(error instanceof RetryTransaction)) throw error;
      if (attempts === maxAttempts) throw new AppError("conflict", "busy", {}, { cause: error });
    }
    await pause(Math.random() * 50 * attempts);
  }
}

/** If the connection breaks during the commit, the outcome is unknown. The error says so. */
async function transact<Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const progress = { isWorkDone: false };
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx);
      progress.isWorkDone = true;
      return result;
    });
  } catch (error) {
    if (isUnknownTimeZone(error)) throw unknownTimeZone(error);
    if (!progress.isWorkDone || !isConnectionLost(error)) throw error;
    throw new AppError("unavailable", "outcome_unknown", {}, { cause: error });
  }
}

async function runAndRollBack<Result>(
  db: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const done: { result?: Result } = {};
  const rollback = new Error("dry run");
  try {
    await db.transaction(async (tx) => {
      done.result = await work(tx);
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return done.result as Result;
}

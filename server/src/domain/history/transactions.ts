import { setTimeout as pause } from "node:timers/promises";
import type { Database, Tx } from "../../db/database.js";
import { BeginAgain } from "../../db/begin-again.js";
import { isConnectionLost } from "../../db/connection-errors.js";
import { AppError } from "../../errors.js";
import { confirmAccess } from "../access/confirm-access.js";
import type { Caller } from "../access/caller.js";
import { isDeadlock, isForeignKeyViolation, isUnknownTimeZone } from "../../db/query-errors.js";
import { unknownTimeZone } from "../shared/time-zones.js";

/** Of a transaction that met another one; it has done nothing then. */
const maxAttempts = 5;

/** Where a change is made, and for whom; the caller is null for what the server does by itself. */
export interface Writer {
  db: Database;
  caller: Caller | null;
  /** Of a change without a caller: told of the commit, as what fails later must not say that nothing was changed. */
  request?: { hasCommitted: boolean };
}

/**
 * Runs a change in a transaction of its own. One that the database ends in a deadlock, that refers to a record which
 * was deleted meanwhile, or that throws BeginAgain, begins again.
 * The last thing before its commit is to confirm that the caller still has the access that it was
 * decided with, so that no change is committed after the end of that access.
 */
export async function commit<Result>(
  { db, caller, request }: Writer,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const found = caller?.accessEpoch;
  const result = await withRetry(() =>
    transact(db, async (tx) => {
      // What is rolled back has counted nothing up.
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

/** Does all of a change, checks included, and rolls it back: the answer tells what would have happened. */
export function dryRun<Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return withRetry(() => runAndRollBack(db, work));
}

async function withRetry<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await run();
    } catch (error) {
      if (isForeignKeyViolation(error) && attempts < maxAttempts) continue;
      if (!isDeadlock(error) && !(error instanceof BeginAgain)) throw error;
      if (attempts === maxAttempts) throw new AppError("conflict", "busy", {}, { cause: error });
    }
    await pause(Math.random() * 50 * attempts);
  }
}

/** A connection that breaks at the commit leaves open whether the change was made, and the error says so. */
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

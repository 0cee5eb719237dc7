import { setTimeout as pause } from "node:timers/promises";
import type { DataSource, EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { isDeadlock } from "./constraints.js";

/** Two that wait for each other: the database ends one, which has done nothing then. */
const maxAttempts = 5;

/**
 * Runs a change in a transaction. A dry run does all of it, checks included, and rolls it back: the
 * answer tells what would have happened. One that the database ends in a deadlock begins again.
 */
export async function transact<Result>(
  db: DataSource,
  dryRun: boolean,
  work: (tx: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (dryRun ? runAndRollBack(db, work) : db.transaction(work));
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      if (tries === maxAttempts) throw tooBusy(error);
    }
    await pause(Math.random() * 50 * tries);
  }
}

async function runAndRollBack<Result>(
  db: DataSource,
  work: (tx: EntityManager) => Promise<Result>,
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

function tooBusy(cause: unknown): AppError {
  return new AppError(
    "conflict",
    "Conflict: others are changing the same things at this moment. Nothing was changed. Try again in a few seconds.",
    { cause },
  );
}

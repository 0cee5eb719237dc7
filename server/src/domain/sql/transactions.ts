import { setTimeout as pause } from "node:timers/promises";
import type { DataSource, EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { isDeadlock } from "./constraints.js";

/** Two that wait for each other: the database ends one, which has done nothing then. */
const maxAttempts = 5;

/** Runs a change in a transaction of its own. One that the database ends in a deadlock begins again. */
export function commit<Result>(
  db: DataSource,
  work: (tx: EntityManager) => Promise<Result>,
): Promise<Result> {
  return retryDeadlocks(() => db.transaction(work));
}

/** Does all of a change, checks included, and rolls it back: the answer tells what would have happened. */
export function dryRun<Result>(
  db: DataSource,
  work: (tx: EntityManager) => Promise<Result>,
): Promise<Result> {
  return retryDeadlocks(() => runAndRollBack(db, work));
}

async function retryDeadlocks<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      if (attempts === maxAttempts) throw new AppError("conflict", "busy", {}, { cause: error });
    }
    await pause(Math.random() * 50 * attempts);
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

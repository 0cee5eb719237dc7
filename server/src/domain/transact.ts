import type { DataSource, EntityManager } from "typeorm";

/**
 * Runs a change in a transaction. A dry run does all of it, checks included, and rolls it back: the
 * answer tells what would have happened.
 */
export async function transact<Result>(
  db: DataSource,
  dryRun: boolean,
  work: (tx: EntityManager) => Promise<Result>,
): Promise<Result> {
  if (!dryRun) return db.transaction(work);
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

import type { Database, Tx } from "../../db/database.js";
import { commit } from "./transactions.js";

const batchSize = 1000;

/** Any number, the same on every node: who holds it cleans up. */
const lockKey = 7_336_215;

/** Deletes what meets a condition, in short transactions and on one node at a time. */
export async function deleteInBatches(
  db: Database,
  table: string,
  condition: string,
  parameters: unknown[] = [],
): Promise<void> {
  await runInBatches(db, `DELETE FROM ${table}`, table, condition, parameters);
}

/** The same for a change, after which a row does not meet the condition any more. */
export async function updateInBatches(
  db: Database,
  table: string,
  change: string,
  condition: string,
): Promise<void> {
  await runInBatches(db, `UPDATE ${table} SET ${change}`, table, condition, []);
}

async function runInBatches(
  db: Database,
  act: string,
  table: string,
  condition: string,
  parameters: unknown[],
): Promise<void> {
  const statement = `${act} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`;
  let changed = batchSize;
  while (changed === batchSize) {
    changed = await commit({ db, caller: null }, async (tx) => {
      if (!(await isOnlyCleaner(tx))) return 0;
      return tx.run(statement, parameters);
    });
  }
}

/** Whether no other node cleans up, and none does before this transaction ends. */
export async function isOnlyCleaner(tx: Tx): Promise<boolean> {
  const lock = await tx.maybe<{ held: boolean }>(`SELECT pg_try_advisory_xact_lock($1) AS held`, [
    lockKey,
  ]);
  return lock?.held === true;
}

import type { Database, Tx } from "../../db/database.js";
import { commit } from "./transactions.js";

const batchSize = 1000;

/** An arbitrary number, equal on every node. The holder of the lock cleans up. */
const lockKey = 7_336_215;

/** Deletes rows that match a condition, in short transactions and on one node at a time. */
export async function deleteInBatches(
  db: Database,
  table: string,
  condition: string,
  parameters: unknown[] = [],
): Promise<void> {
  await runInBatches(db, `DELETE FROM ${table}`, table, condition, parameters);
}

/**
 * Updates rows that match a condition, in short transactions and on one node at a time. After the
 * update, a row must no longer match.
 */
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

/** Takes the cleanup lock until the transaction ends. Returns false if another node has it. */
export async function isOnlyCleaner(tx: Tx): Promise<boolean> {
  const lock = await tx.maybe<{ held: boolean }>(`SELECT pg_try_advisory_xact_lock($1) AS held`, [
    lockKey,
  ]);
  return lock?.held === true;
}

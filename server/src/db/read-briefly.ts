import type { Tx } from "./database.js";
import { isTimeout } from "./query-errors.js";

/** For each statement; nobody waits long for what an answer can do without. */
const maxMs = 500;

/**
 * Reads a few rows in a transaction of their own, or in a part of the one under way, which has its
 * time as before afterwards: none where that takes too long.
 */
export async function readBriefly<Row>(db: Tx, read: (tx: Tx) => Promise<Row[]>): Promise<Row[]> {
  try {
    return await db.transaction(async (tx) => {
      const before = await limitTime(tx, `${maxMs}ms`);
      const rows = await read(tx);
      if (db.queryRunner !== undefined) await limitTime(tx, before);
      return rows;
    });
  } catch (error) {
    if (isTimeout(error)) return [];
    throw error;
  }
}

/** Answers with the limit before. */
async function limitTime(tx: Tx, limit: string): Promise<string> {
  const { before } = await tx.one<{ before: string }>(
    `SELECT before, set_config('statement_timeout', $1, true)
     FROM (SELECT current_setting('statement_timeout') AS before OFFSET 0) s`,
    [limit],
  );
  return before;
}

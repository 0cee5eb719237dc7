import type { Tx } from "./database.js";
import { isTimeout } from "./query-errors.js";

/** Limit for each statement. Optional parts of a response must not delay it. */
const maxMs = 500;

/**
 * Reads a few rows in a separate transaction, or in a savepoint of the open one, whose time limit
 * is restored afterwards. Returns no rows if the read takes too long.
 */
export async function queryWithTimeout<Row>(
  db: Tx,
  read: (tx: Tx) => Promise<Row[]>,
): Promise<Row[]> {
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

/** Returns the previous limit. */
async function limitTime(tx: Tx, limit: string): Promise<string> {
  const { before } = await tx.one<{ before: string }>(
    `SELECT before, set_config('statement_timeout', $1, true)
     FROM (SELECT current_setting('statement_timeout') AS before OFFSET 0) s`,
    [limit],
  );
  return before;
}

import type { EntityManager } from "typeorm";
import { isTimeout } from "./query-errors.js";

/** For each statement; nobody waits long for what an answer can do without. */
const maxMs = 500;

/**
 * Reads a few rows in a transaction of their own, or in a part of the one under way, which has its
 * time as before afterwards: none where that takes too long.
 */
export async function readBriefly<Row>(
  db: EntityManager,
  read: (tx: EntityManager) => Promise<Row[]>,
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

/** Answers with the limit before. */
async function limitTime(tx: EntityManager, limit: string): Promise<string> {
  const rows: { before: string }[] = await tx.query(
    `SELECT before, set_config('statement_timeout', $1, true)
     FROM (SELECT current_setting('statement_timeout') AS before OFFSET 0) s`,
    [limit],
  );
  return rows[0]?.before ?? "0";
}

import type { EntityManager } from "typeorm";
import { isTimeout } from "./query-errors.js";

/** For each statement; nobody waits long for what an answer can do without. */
const maxMs = 500;

/** Reads a few rows in a transaction of their own: none where that takes too long. */
export async function readBriefly<Row>(
  db: EntityManager,
  read: (tx: EntityManager) => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`SELECT set_config('statement_timeout', '${maxMs}ms', true)`);
      return read(tx);
    });
  } catch (error) {
    if (isTimeout(error)) return [];
    throw error;
  }
}

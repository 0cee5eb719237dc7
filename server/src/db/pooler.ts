import { QueryFailedError } from "typeorm";
import type { Database } from "./database.js";

/** SQLSTATE: a prepared statement doesn't exist, or exists already. */
const lostNames: unknown[] = ["26000", "42P05"];

/**
 * Returns true behind a pooler that moves database connections between clients after each
 * transaction, including names of statements, as PgBouncer did before 1.21. Statements prepared by
 * one client then exist for another.
 */
export async function losesPreparedStatements(db: Database): Promise<boolean> {
  const connections = [db.source.createQueryRunner(), db.source.createQueryRunner()];
  try {
    for (const connection of [...connections, ...connections]) {
      await connection.query("SELECT $1::int AS prepared", [1]);
    }
    return false;
  } catch (error) {
    const cause: unknown = error instanceof QueryFailedError && error.driverError;
    if (cause instanceof Error && "code" in cause && lostNames.includes(cause.code)) return true;
    throw error;
  } finally {
    for (const connection of connections) await connection.release();
  }
}

/**
 * Returns true if settings that connections request at the start, such as the timeout, are ignored.
 */
export async function ignoresSettings(db: Database): Promise<boolean> {
  const limit = await db.one<{ statement_timeout: string }>("SHOW statement_timeout");
  return limit.statement_timeout === "0";
}

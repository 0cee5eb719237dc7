import { QueryFailedError } from "typeorm";
import type { Database } from "./database.js";

/** SQLSTATE: a prepared statement is not there, or is there already. */
const lostNames: unknown[] = ["26000", "42P05"];

/**
 * Whether a pooler stands in between that hands a connection of the database from one to the next
 * after each transaction, names of statements included, as PgBouncer did before 1.21: then what one
 * has prepared is there for the other.
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

/** Whether the settings that connections ask for at their start, such as the time-out, are ignored. */
export async function ignoresSettings(db: Database): Promise<boolean> {
  const limit = await db.one<{ statement_timeout: string }>("SHOW statement_timeout");
  return limit.statement_timeout === "0";
}

import { QueryFailedError, type DataSource } from "typeorm";

/** SQLSTATE: a prepared statement is not there, or is there already. */
const lostNames: unknown[] = ["26000", "42P05"];

/**
 * Whether a pooler stands in between that hands a connection of the database from one to the next
 * after each transaction, names of statements included, as PgBouncer did before 1.21: then what one
 * has prepared is there for the other.
 */
export async function losesPreparedStatements(dataSource: DataSource): Promise<boolean> {
  const connections = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
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
export async function ignoresSettings(dataSource: DataSource): Promise<boolean> {
  const rows: { statement_timeout: string }[] = await dataSource.query("SHOW statement_timeout");
  return rows[0]?.statement_timeout === "0";
}

import { MigrationExecutor, type DataSource } from "typeorm";
import { DatabaseError } from "./open-database.js";

/** Any number will do, as long as it is ours and never changes. */
const migrationLock = 4_340_010;

/**
 * Brings the schema up to date in one transaction and returns the names of what ran. Several
 * processes may call it at once: the lock lets one of them work, the others then find it done.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    const executor = new MigrationExecutor(dataSource, runner);
    await rejectForeignSchema(dataSource, executor);
    const ran = await executor.executePendingMigrations();
    await runner.commitTransaction();
    return ran.map(({ name }) => name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** What another version made cannot be brought up to date by ours. */
async function rejectForeignSchema({ migrations }: DataSource, executor: MigrationExecutor) {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await executor.getExecutedMigrations()).find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  throw new DatabaseError(
    `This database was made by another version of Fettle: it knows the migration ${unknown.name}, which this version does not. Start the version that made it, or give an empty database (DATABASE_URL) or folder (DATA_DIR).`,
  );
}

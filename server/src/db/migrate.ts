import { MigrationExecutor, type DataSource } from "typeorm";

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

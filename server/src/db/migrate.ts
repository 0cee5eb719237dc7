import { MigrationExecutor, type DataSource } from "typeorm";
import { Tx, type Database } from "./database.js";
import {
  defineAfterMigrations,
  defineBeforeMigrations,
  findChangedFunctions,
  readFunctionHashes,
} from "./functions.js";
import { migrationNames } from "./migrations.js";
import { DatabaseError } from "./open-database.js";

/** An arbitrary number. It must be ours and never change. */
const migrationLock = 4_340_010;

/** The migrations create them, if the role may or they exist already. */
const extensions = ["btree_gin", "citext", "pg_trgm"];

/**
 * Migrates the schema in one transaction and returns the names of the migrations that ran. Several
 * processes may call it at once. The lock lets one of them work, and the others then find nothing
 * to do. Calls `onPending` if there is work.
 */
export async function migrate(
  { source }: Database,
  onPending: () => void = () => undefined,
): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    await runner.startTransaction();
    // If a pooler ignores the settings of connections, the role may have a time limit.
    await runner.query("SET LOCAL statement_timeout = 0");
    await runner.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    const executor = new MigrationExecutor(source, runner);
    await rejectForeignSchema(source, executor);
    const pending = await executor.getPendingMigrations();
    const tx = new Tx(runner.manager);
    const functions = await readFunctionHashes(tx);
    if (pending.length + findChangedFunctions(functions).length > 0) onPending();
    await defineBeforeMigrations(tx, functions);
    const ran = await executor.executePendingMigrations();
    await defineAfterMigrations(tx, functions);
    await runner.commitTransaction();
    return ran.map(({ name }) => name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw explain(error);
  } finally {
    await runner.release();
  }
}

/** Explains errors that only the PostgreSQL server's administrator can fix. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const rule = remedies.find(([pattern]) => pattern.test(error.message));
  return rule === undefined ? error : new DatabaseError(`${error.message}. ${rule[1]}`, error);
}

const remedies: [pattern: RegExp, remedy: string][] = [
  [
    /^permission denied to create extension/,
    `Make the role in DATABASE_URL the owner of the database, or have a superuser run in it: ${extensions.map((name) => `CREATE EXTENSION IF NOT EXISTS ${name};`).join(" ")}`,
  ],
  [
    /^extension "\w+" is not available/,
    `Install the contrib modules of PostgreSQL on its machine: Fettle needs ${extensions.join(", ")}.`,
  ],
  [
    /^(permission denied for|must be owner of)/,
    "Make the role in DATABASE_URL the owner of the database and of what is in it.",
  ],
];

/** Returns the migrations that haven't run, and those that only another version knows. */
export async function compareSchema(
  db: Database,
): Promise<Record<"missing" | "unknown", string[]>> {
  const tables: { migrations: string | null }[] = await db.query(
    "SELECT to_regclass('migrations')::text AS migrations",
  );
  const ran: { name: string }[] =
    tables[0]?.migrations === null ? [] : await db.query("SELECT name FROM migrations ORDER BY id");
  const done = ran.map(({ name }) => name);
  return {
    missing: migrationNames.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !migrationNames.includes(name)),
  };
}

/** This version can't migrate a schema that another version created. */
async function rejectForeignSchema({ migrations }: DataSource, executor: MigrationExecutor) {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await executor.getExecutedMigrations()).find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  throw new DatabaseError(
    `This database was made by another version of Fettle: it knows the migration ${unknown.name}, which this version does not. Start the version that made it, or give an empty database (DATABASE_URL) or folder (DATA_DIR).`,
  );
}

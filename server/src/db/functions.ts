import { createHash } from "node:crypto";
import type { Tx } from "./database.js";
import { readSqlFiles, type SqlFile } from "./sql-files.js";

/** A function in SQL with its triggers, as a file of `functions/` defines them. */
interface SqlFunction {
  name: string;
  /** Whether tables need it, for defaults or indexes. */
  comesFirst: boolean;
  definition: string;
  /** Brings existing rows up to date after the function changed; empty for most. */
  afterwards: string;
  hash: string;
}

export type FunctionHashes = Record<string, string>;

const sqlFunctions = readSqlFiles("functions").map(toFunction);

function toFunction({ name, text }: SqlFile): SqlFunction {
  const [definition = "", afterwards = ""] = text.split(/^-- Afterwards\n/m);
  return {
    name,
    comesFirst: text.startsWith("-- Before migrations"),
    definition,
    afterwards,
    hash: createHash("sha256").update(text).digest("hex"),
  };
}

/** The hashes of the functions that the database has. */
export async function readFunctionHashes(db: Tx): Promise<FunctionHashes> {
  const { table } = await db.one<{ table: string | null }>(
    `SELECT to_regclass('schema_functions')::text AS "table"`,
  );
  if (table === null) return {};
  const rows = await db.query<{ name: string; hash: string }>(
    "SELECT name, hash FROM schema_functions",
  );
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** The names of the functions that are to be defined, again or for the first time. */
export function findChangedFunctions(present: FunctionHashes): string[] {
  return changedSince(present).map(({ name }) => name);
}

/** Defines those of the changed functions that migrations need. */
export async function defineBeforeMigrations(tx: Tx, present: FunctionHashes): Promise<void> {
  await define(
    tx,
    changedSince(present).filter(({ comesFirst }) => comesFirst),
  );
}

/**
 * Defines the functions whose files have changed, then brings the rows up to date that their earlier
 * definitions wrote. The version that migrates last decides, so that going back to an earlier one works.
 */
export async function defineAfterMigrations(tx: Tx, present: FunctionHashes): Promise<void> {
  const changed = changedSince(present);
  if (changed.length === 0) return;
  await define(tx, changed);
  await tx.query(
    "CREATE TABLE IF NOT EXISTS schema_functions (name text PRIMARY KEY, hash text NOT NULL)",
  );
  await tx.query(
    `INSERT INTO schema_functions SELECT * FROM json_each_text($1)
     ON CONFLICT (name) DO UPDATE SET hash = excluded.hash`,
    [JSON.stringify(Object.fromEntries(changed.map(({ name, hash }) => [name, hash])))],
  );
  await updateRows(tx, present);
}

function changedSince(present: FunctionHashes): SqlFunction[] {
  return sqlFunctions.filter(({ name, hash }) => present[name] !== hash);
}

/** Brings rows up to date that functions with other hashes have written. */
export async function updateRows(tx: Tx, writtenBy: FunctionHashes): Promise<void> {
  const changed = changedSince(writtenBy).filter(({ name }) => name in writtenBy);
  for (const statements of new Set(changed.map(({ afterwards }) => afterwards))) {
    if (statements !== "") await tx.query(statements);
  }
}

async function define(tx: Tx, functions: SqlFunction[]): Promise<void> {
  // Functions may call others whose files come later.
  await tx.query("SET LOCAL check_function_bodies = off");
  for (const { definition } of functions) await tx.query(definition);
}

import { createHash } from "node:crypto";
import type { Tx } from "./database.js";
import { readSqlFiles, type SqlFile } from "./sql-files.js";

/** An SQL function with its triggers, defined by a file of `functions/`. */
interface SqlFunction {
  name: string;
  /** True if tables need the function, for defaults or indexes. */
  comesFirst: boolean;
  definition: string;
  /** Updates existing rows after the function changed. Empty for most functions. */
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

export function findChangedFunctions(present: FunctionHashes): string[] {
  return changedSince(present).map(({ name }) => name);
}

/** Defines the changed functions that migrations need. */
export async function defineBeforeMigrations(tx: Tx, present: FunctionHashes): Promise<void> {
  await define(
    tx,
    changedSince(present).filter(({ comesFirst }) => comesFirst),
  );
}

/**
 * Defines functions whose files changed, then updates the rows that their earlier definitions
 * wrote. The last version that migrates decides, so downgrades work.
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

/** Updates rows that functions with other hashes wrote. */
export async function updateRows(tx: Tx, writtenBy: FunctionHashes): Promise<void> {
  const changed = changedSince(writtenBy).filter(({ name }) => name in writtenBy);
  for (const statements of new Set(changed.map(({ afterwards }) => afterwards))) {
    if (statements !== "") await tx.query(statements);
  }
}

async function define(tx: Tx, functions: SqlFunction[]): Promise<void> {
  // Functions may call functions that are defined later.
  await tx.query("SET LOCAL check_function_bodies = off");
  for (const { definition } of functions) await tx.query(definition);
}

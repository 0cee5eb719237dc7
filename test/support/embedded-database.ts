import { cpSync, mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Database, Tx } from "../../server/src/db/database.js";
import { openDatabase } from "../../server/src/db/open-database.js";

/** An embedded database that test files share in turn, because a start takes a second. */
export interface EmbeddedDatabase {
  dataDir: string;
  /** Resets it for the next file, or discards it if its schema changed. */
  release: () => Promise<void>;
}

interface Started {
  dataDir: string;
  db: Database;
  close: () => Promise<void>;
  schema: string;
  seeds: Seed[];
}

/** Rows written by migrations. */
interface Seed {
  table: string;
  rows: unknown[];
}

/** This process's databases that no file uses. */
const idle: Started[] = [];

/** Acquires a migrated, empty database for exclusive use until it is released. */
export async function acquireEmbedded(template: string): Promise<EmbeddedDatabase> {
  const database = idle.pop() ?? (await start(template));
  return {
    dataDir: database.dataDir,
    release: async () => {
      if ((await describeSchema(database.db)) !== database.schema) return database.close();
      await empty(database);
      idle.push(database);
    },
  };
}

/**
 * The compiled program of the embedded database. While it is referenced, the engine compiles it
 * only once per process, and optimized code is shared by all test files.
 */
let program: Promise<WebAssembly.Module> | undefined;

async function compileProgram(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  return WebAssembly.compile(await readFile(join(folder, "pglite.wasm")));
}

/** Starts a copy next to the template. It is removed with the template after the run. */
async function start(template: string): Promise<Started> {
  program ??= compileProgram();
  await program;
  const dataDir = mkdtempSync(`${template}-`);
  cpSync(template, dataDir, { recursive: true });
  const { db, close } = await openDatabase({
    databaseUrl: undefined,
    dataDir,
    embedded: "own",
    poolSize: 1,
    onFailure: (error) => {
      throw error;
    },
  });
  const schema = await describeSchema(db);
  return { dataDir, db, close, schema, seeds: await readSeeds(db) };
}

/** Changes if a column, constraint, trigger or function is added, changed or removed. */
async function describeSchema(db: Database): Promise<string> {
  const catalogs = ["pg_attribute", "pg_constraint", "pg_trigger", "pg_proc"];
  const rows: unknown = await db.query(
    catalogs
      .map((name) => `SELECT count(*), max(xmin::text::bigint) FROM ${name}`)
      .join(" UNION ALL "),
  );
  return JSON.stringify(rows);
}

async function readSeeds(db: Database): Promise<Seed[]> {
  const tables = await db.query<{ table: string }>(
    `SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
  );
  return Promise.all(
    tables.map(async ({ table }) => {
      const row = await db.maybe<{ rows: unknown[] | null }>(
        `SELECT json_agg(t) AS rows FROM ${table} t`,
      );
      return { table, rows: row?.rows ?? [] };
    }),
  );
}

async function empty({ db, seeds }: Started): Promise<void> {
  await db.transaction(async (tx: Tx) => {
    // Disables triggers that would forbid it.
    await tx.query("SET LOCAL session_replication_role = replica");
    await tx.query(`TRUNCATE ${seeds.map(({ table }) => table).join(", ")} RESTART IDENTITY`);
    for (const { table, rows } of seeds.filter((seed) => seed.rows.length > 0)) {
      await tx.query(
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows)],
      );
    }
  });
}

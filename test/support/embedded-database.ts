import { cpSync, mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Database, Tx } from "../../server/src/db/database.js";
import { openDatabase } from "../../server/src/db/open-database.js";

/** An embedded database that files use one after the other: starting one takes a second. */
export interface EmbeddedDatabase {
  dataDir: string;
  /** Gives it to the next file: as it was migrated, or not at all if its schema was changed. */
  release: () => Promise<void>;
}

interface Started {
  dataDir: string;
  db: Database;
  close: () => Promise<void>;
  schema: string;
  seeds: Seed[];
}

/** Rows that migrations wrote. */
interface Seed {
  table: string;
  rows: unknown[];
}

/** Those of this process that no file has at the moment. */
const idle: Started[] = [];

/** A migrated, empty database that nobody else has until it is released. */
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
 * The program of the embedded database. As long as somebody holds it compiled, the engine compiles
 * it for nobody else in this process, and what got fast for one test file is fast for the next.
 */
let program: Promise<WebAssembly.Module> | undefined;

async function compileProgram(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  return WebAssembly.compile(await readFile(join(folder, "pglite.wasm")));
}

/** Lies beside the template, and is removed with it at the end of the run. */
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

/** Differs as soon as a column, constraint, trigger or function was added, changed or removed. */
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
    // Triggers that forbid it do not run.
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

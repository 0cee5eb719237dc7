import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import pg from "pg";
import type { DataSource } from "typeorm";
import { afterAll, beforeAll, inject } from "vitest";
import { openDatabase } from "../../server/src/db/open-database.js";
import { fastFolder } from "./fast-folder.js";
import { makeDataDir, type DataDir } from "./server-process.js";

export interface TestDatabase {
  dataSource: DataSource;
  /** Set on PostgreSQL only. */
  url: string | undefined;
  /** Set on the embedded database only. */
  dataDir: string | undefined;
  drop: () => Promise<void>;
}

/** A migrated, empty database of its own for the test file; opened before, dropped after. */
export function useDatabase(): () => DataSource {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    await database?.drop();
  });
  return () => {
    if (database === undefined) throw new Error("The database is open only while tests run.");
    return database.dataSource;
  };
}

export async function createDatabase(): Promise<TestDatabase> {
  const url = inject("databaseUrl");
  return url === null ? copyDataDir(inject("template")) : copyTemplate(url, inject("template"));
}

/** For a server process: migrated already on the embedded database, which takes seconds, else empty. */
export function prepareDataDir(): DataDir {
  return makeDataDir(inject("databaseUrl") === null ? inject("template") : undefined);
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

async function copyDataDir(template: string): Promise<TestDatabase> {
  program ??= compileProgram();
  await program;
  const dataDir = mkdtempSync(join(fastFolder(), "fettle-test-"));
  cpSync(template, dataDir, { recursive: true });
  const { dataSource, close } = await open(undefined, dataDir);
  return {
    dataSource,
    url: undefined,
    dataDir,
    drop: async () => {
      await close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function copyTemplate(adminUrl: string, template: string): Promise<TestDatabase> {
  const name = `fettle_test_${randomBytes(6).toString("hex")}`;
  await runOnce(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const { dataSource, close } = await open(url.href, "");
  return {
    dataSource,
    url: url.href,
    dataDir: undefined,
    drop: async () => {
      await close();
      await runOnce(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function open(databaseUrl: string | undefined, dataDir: string) {
  return openDatabase({
    databaseUrl,
    dataDir,
    embedded: "own",
    onFailure: (error) => {
      throw error;
    },
  });
}

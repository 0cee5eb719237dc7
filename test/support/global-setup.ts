import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../../server/src/db/migrate.js";
import { openDatabase } from "../../server/src/db/open-database.js";
import { checkRecorded } from "../isolation/recorded.js";
import { fastFolder } from "./fast-folder.js";
import { readStatements, type RecordedStatement } from "./recorded-statements.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** PostgreSQL for tests, or null for the embedded database. */
    databaseUrl: string | null;
    /** A migrated data directory to copy. */
    dataDirTemplate: string;
    /** The name of a migrated PostgreSQL database to copy. */
    databaseTemplate: string;
    /** The folder of the product's recorded statements. */
    statementFolder: string;
  }
}

/** Migrates one empty database. Every test file copies it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const databaseUrl = process.env["TEST_DATABASE_URL"] ?? null;
  project.provide("databaseUrl", databaseUrl);
  const removeDataDir = await setUpEmbedded(project);
  const dropTemplate = databaseUrl === null ? undefined : await setUpPostgres(project, databaseUrl);
  return async () => {
    await dropTemplate?.();
    const statements = readStatements(project.getProvidedContext().statementFolder);
    removeDataDir();
    await reportIsolation(statements);
  };
}

/** Fails the run if the product sent a statement that isn't bound to an organization. */
async function reportIsolation(recorded: RecordedStatement[]): Promise<void> {
  const { failures, statements, conditions, noticed } = await checkRecorded(recorded);
  if (statements === 0) return;
  process.stdout.write(
    `Tenants: ${statements} statements, ${failures.length} not bound to an organization. ` +
      `Of their ${conditions} conditions, ${noticed} were missed when left out; the others are said twice.\n`,
  );
  if (failures.length > 0) {
    process.stderr.write(
      `Not bound to an organization (test/isolation):\n\n${failures.join("\n\n")}\n`,
    );
    process.exitCode = 1;
  }
}

async function setUpEmbedded(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(fastFolder(), "fettle-test-"));
  const statements = join(folder, "statements");
  mkdirSync(statements);
  project.provide("statementFolder", statements);
  const dataDir = join(folder, "data");
  await migrateOnce(undefined, dataDir);
  project.provide("dataDirTemplate", dataDir);
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

async function setUpPostgres(project: TestProject, url: string): Promise<() => Promise<void>> {
  const name = `fettle_test_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${name}`);
  await admin.query(`CREATE DATABASE ${name}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${name}`;
  await migrateOnce(templateUrl.href, "");
  project.provide("databaseTemplate", name);
  return async () => {
    const { rows } = await admin.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname = $1 OR starts_with(datname, $1 || '_')",
      [name],
    );
    for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`);
    await admin.end();
  };
}

async function migrateOnce(databaseUrl: string | undefined, dataDir: string): Promise<void> {
  const onFailure = (error: Error) => {
    throw error;
  };
  const { db, close } = await openDatabase({
    databaseUrl,
    dataDir,
    embedded: "own",
    onFailure,
  });
  await migrate(db);
  await close();
}

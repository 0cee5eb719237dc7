import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Database } from "../../server/src/db/database.js";
import { afterAll, beforeAll, expect, inject, vi } from "vitest";
import { openDatabase } from "../../server/src/db/open-database.js";
import { acquireEmbedded } from "./embedded-database.js";
import { recordStatements } from "./recorded-statements.js";
import { makeDataDir, type DataDir } from "./server-process.js";

export interface TestDatabase {
  db: Database;
  /** Only on PostgreSQL. */
  url: string | undefined;
  /** Only on the embedded database. */
  dataDir: string | undefined;
  drop: () => Promise<void>;
}

/** Creates a migrated, empty database for the test file and drops it afterwards. */
export function useDatabase(): () => Database {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    await database?.drop();
  });
  return () => {
    if (database === undefined) throw new Error("The database is open only while tests run.");
    return database.db;
  };
}

/** Number of statements that wait for a lock. Always zero on the embedded database. */
export async function countWaiting(db: Database): Promise<number> {
  const rows = await db.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

/** Waits until a statement waits for a lock held by the test. */
export async function untilOneWaits(db: Database): Promise<void> {
  await expect.poll(() => countWaiting(db)).toBeGreaterThan(0);
}

/** Changes the activity log despite its triggers, as only the database owner can. */
export async function rewriteLog(
  db: Database,
  statement: string,
  parameters: unknown[] = [],
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query("ALTER TABLE activity_log DISABLE TRIGGER USER");
    await tx.query(statement, parameters);
    await tx.query("ALTER TABLE activity_log ENABLE TRIGGER USER");
  });
}

/**
 * Sends refreshes that all look up their token before the first one uses it: once `waiting` of them
 * wait for the connection. Requests that a node answers together count as one.
 */
export async function overlapping<Answers>(
  db: Database,
  waiting: number,
  send: () => Promise<Answers>,
): Promise<Answers> {
  // The embedded database runs statements in order of arrival, and none during another transaction,
  // so the look-ups arrive while the transaction lasts.
  if (inject("databaseUrl") === null) {
    const { answers } = await db.transaction(async () => {
      const sent = send();
      await setTimeout(500);
      return { answers: sent };
    });
    return answers;
  }
  const { answers } = await db.transaction(async (tx) => {
    await tx.query("SELECT 1 FROM oauth_connections FOR UPDATE");
    const sent = send();
    await vi.waitFor(async () => {
      expect(await countWaiting(db)).toBe(waiting);
    }, 60_000);
    return { answers: sent };
  });
  return answers;
}

export async function createDatabase(): Promise<TestDatabase> {
  recordStatements(inject("statementFolder"));
  const url = inject("databaseUrl");
  return url === null
    ? borrowEmbedded(inject("dataDirTemplate"))
    : copyTemplate(url, inject("databaseTemplate"));
}

/** For a server process. Already migrated, since that takes seconds. */
export function prepareDataDir(): DataDir {
  return makeDataDir(inject("dataDirTemplate"));
}

async function borrowEmbedded(template: string): Promise<TestDatabase> {
  const { dataDir, release } = await acquireEmbedded(template);
  const { db, close } = await open(undefined, dataDir);
  return {
    db,
    url: undefined,
    dataDir,
    drop: async () => {
      await close();
      await release();
    },
  };
}

async function copyTemplate(adminUrl: string, template: string): Promise<TestDatabase> {
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  await runOnce(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  // No test simulates machine failures, and waiting for the disk took half of the time of many
  // tests.
  await runOnce(adminUrl, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const { db, close } = await open(url.href, "");
  // The run drops it with all others, since each drop waits for a checkpoint.
  return { db, url: url.href, dataDir: undefined, drop: close };
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
    embedded: "join",
    onFailure: (error) => {
      throw error;
    },
  });
}

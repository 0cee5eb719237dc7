// @module-tag embedded

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isEmbedded } from "../../../server/src/db/pools.js";
import { vacuumEmbedded } from "../../../server/src/db/vacuum.js";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";

// Always uses the embedded database, regardless of the other tests' database, because it is behind
// our own socket server.
describe("connections of the embedded database", () => {
  let folder = "";
  let database: OpenDatabase;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fettle-embedded-"));
    database = await openDatabase({
      databaseUrl: undefined,
      dataDir: folder,
      embedded: "own",
      onFailure: (error) => {
        throw error;
      },
    });
    await database.db.query("CREATE TABLE counters (id int PRIMARY KEY, value int)");
    await database.db.query("INSERT INTO counters VALUES (1, 0)");
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("reuses the space of old rows, and gives the planner row counts", async () => {
    const { db } = database;
    expect(isEmbedded(db)).toBe(true);
    const size = async () => {
      const row = await db.maybe<{ bytes: number }>(
        "SELECT pg_relation_size('notes')::int AS bytes",
      );
      return row?.bytes ?? 0;
    };
    await db.query("CREATE TABLE notes AS SELECT n, 'x' AS text FROM generate_series(1, 5000) n");
    const first = await size();
    for (let turn = 0; turn < 5; turn += 1) {
      await db.query("UPDATE notes SET text = text || 'y'");
      await db.query("SELECT pg_stat_force_next_flush()");
      await vacuumEmbedded(db);
    }
    expect(await size()).toBeLessThan(3 * first);
    expect(
      await db.query("SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'notes'"),
    ).toEqual([{ rows: 5000 }]);
  });

  test("no statement gets another connection's values, even during transactions and errors", async () => {
    const { db } = database;
    const wrong: unknown[] = [];

    async function read(worker: number): Promise<void> {
      for (let turn = 0; turn < 40; turn += 1) {
        const value = worker * 1000 + turn;
        const rows: { value: number }[] =
          worker % 2 === 0
            ? await db.query("SELECT $1::int AS value", [value])
            : await db.query("SELECT $2::int AS value, $1::text AS other", ["x", value]);
        if (rows[0]?.value !== value) wrong.push(rows);
      }
    }
    async function change(): Promise<void> {
      for (let turn = 0; turn < 15; turn += 1) {
        await db.transaction(async (tx) => {
          await tx.query("SELECT value FROM counters WHERE id = $1 FOR UPDATE", [1]);
          await tx.query("UPDATE counters SET value = value + $1 WHERE id = 1", [1]);
        });
        await expect(db.query("SELECT 1 / $1::int", [0])).rejects.toThrow("division");
      }
    }
    await Promise.all([
      ...Array.from({ length: 10 }, (_, worker) => read(worker)),
      ...Array.from({ length: 4 }, change),
    ]);

    expect(wrong).toEqual([]);
    await expect(db.query("SELECT value FROM counters")).resolves.toEqual([{ value: 60 }]);
  });

  test("prepares a statement once for all connections, and errors don't break it", async () => {
    const { db } = database;
    const read = "SELECT id FROM counters WHERE id = $1";
    const prepared = (text: string) =>
      db.query(`SELECT FROM pg_prepared_statements WHERE statement = '${text}'`);
    const inFailedTransaction = db.transaction(async (tx) => {
      await tx.query("SELECT 1 / 0").catch(() => undefined);
      await tx.query(read, [1]);
    });
    await expect(inFailedTransaction).rejects.toThrow("aborted");

    const answers = await Promise.all(Array.from({ length: 12 }, () => db.query(read, [1])));
    await expect(db.query(read, ["one"])).rejects.toThrow("invalid input syntax");

    expect(answers).toEqual(Array.from({ length: 12 }, () => [{ id: 1 }]));
    await expect(db.query(read, [1])).resolves.toEqual([{ id: 1 }]);
    await expect(prepared(read)).resolves.toHaveLength(1);
  });

  test("a statement prepared for an older table shape fails at most one call", async () => {
    const { db } = database;
    const read = () => db.query("SELECT * FROM shapes WHERE id = $1", [1]);
    await db.query("CREATE TABLE shapes AS SELECT 1 AS id");
    await read();
    await db.query("ALTER TABLE shapes ADD note text");

    await expect(read()).rejects.toThrow("cached plan must not change result type");
    await expect(read()).resolves.toEqual([{ id: 1, note: null }]);
  });

  test("a connection lost within a batch or transaction blocks no others", async () => {
    const other = new pg.Client({ host: folder, user: "postgres", database: "postgres" });
    await other.connect();
    await other.query("BEGIN");
    await other.query("UPDATE counters SET value = 0");
    Reflect.get(other, "connection").stream.destroy();
    other.on("error", () => undefined);
    await leaveWithinBatch(join(folder, ".s.PGSQL.5432"), "before it ran");
    await leaveWithinBatch(join(folder, ".s.PGSQL.5432"), "after its failure");

    await expect(database.db.query("SELECT value FROM counters")).resolves.toEqual([{ value: 60 }]);
  });
});

/**
 * Starts a session, sends one Parse message with a wrong statement, and disconnects before Sync.
 */
async function leaveWithinBatch(
  path: string,
  when: "before it ran" | "after its failure",
): Promise<void> {
  const socket = connect(path);
  await new Promise<void>((ready) => socket.once("connect", ready));
  socket.write(message("", Buffer.from([0, 3, 0, 0]), text("user"), text("postgres"), text("")));
  await new Promise((answer) => socket.once("data", answer));
  socket.write(message("P", text(""), text("SELECT no_such_column"), Buffer.from([0, 0])));
  if (when === "after its failure") {
    socket.write(message("H"));
    await new Promise((answer) => socket.once("data", answer));
  } else {
    await new Promise((later) => setTimeout(later, 50));
  }
  socket.destroy();
  await new Promise((later) => setTimeout(later, 50));
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

describe("folder that the embedded database can't use", () => {
  const original = mkdtempSync(join(tmpdir(), "fettle-embedded-"));
  const open = (dataDir: string) =>
    openDatabase({ databaseUrl: undefined, dataDir, embedded: "own", onFailure: () => undefined });

  beforeAll(async () => {
    const { close } = await open(original);
    await close();
  });
  afterAll(() => {
    rmSync(original, { recursive: true, force: true });
  });

  test.each([
    [
      "of another version of PostgreSQL",
      "PG_VERSION",
      "16\n",
      /its files are of PostgreSQL 16, and this version of Fettle reads those of 18\. Start the version/,
    ],
    [
      "damaged",
      "global/pg_control",
      "",
      /its files are damaged or incomplete, or the disk is full \(.+\)\. Put a back-up of the whole directory/,
    ],
  ])("%s: explains problem and solution in one line", async (_, file, content, message) => {
    const folder = mkdtempSync(join(tmpdir(), "fettle-embedded-"));
    cpSync(original, folder, { recursive: true });
    writeFileSync(join(folder, "database", file), content);

    const refused = await open(folder).catch((error: unknown) => error as Error);

    rmSync(folder, { recursive: true, force: true });
    expect(refused).toHaveProperty("name", "DatabaseError");
    expect(refused).toHaveProperty("message", expect.stringMatching(message));
    expect(refused).toHaveProperty("message", expect.not.stringContaining("\n"));
  });
});

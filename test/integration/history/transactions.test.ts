// @module-tag embedded

import type { Tx } from "../../../server/src/db/database.js";
import { expect, inject, test, vi } from "vitest";
import { migrate } from "../../../server/src/db/migrate.js";
import { commit, dryRun } from "../../../server/src/domain/history/transactions.js";
import { toRefusal } from "../../../server/src/db/query-errors.js";
import { useDatabase } from "../../support/database.js";
import { throwWorded } from "../../support/refusals.js";

const db = useDatabase();

type Work = (tx: Tx) => Promise<unknown>;

/** PostgreSQL's error for the transaction it ends. */
const deadlock = "DO $$ BEGIN RAISE EXCEPTION 'ended' USING ERRCODE = 'deadlock_detected'; END $$";

const runs = {
  commit: (work: Work) => commit({ db: db(), caller: null }, work),
  "dry run": (work: Work) => dryRun(db(), work),
};

for (const [name, run] of Object.entries(runs)) {
  test(`a transaction ended by a deadlock begins again (${name})`, async () => {
    let tries = 0;

    const answer = await run(async (tx) => {
      tries += 1;
      if (tries === 1) await tx.query(deadlock);
      return "done";
    });

    expect([answer, tries]).toEqual(["done", 2]);
  });
}

test("reports a conflict after several retries, and doesn't retry other errors", async () => {
  for (const [statement, count, message] of [
    [deadlock, 5, "Conflict: others are changing the same things"],
    ["SELECT 1 / 0", 1, "division by zero"],
  ] as const) {
    let tries = 0;
    const work = runs.commit(async (tx) => {
      tries += 1;
      await tx.query(statement);
    });

    await expect(work.catch(throwWorded)).rejects.toThrow(message);
    expect(tries).toBe(count);
  }
});

test("rejects a time zone this database doesn't know, and stores nothing", async () => {
  const founding = runs.commit((tx) =>
    tx.query(
      `INSERT INTO organizations (id, name, slug, inventory_prefix, time_zone)
       VALUES ('org_mars', 'Mars', 'mars', 'M', 'Mars/Olympus')`,
    ),
  );

  await expect(founding.catch(throwWorded)).rejects.toThrow("time zone must be an IANA name");
});

test("rejects a database of another version with instructions", async () => {
  const row = { timestamp: 1, name: "FromTheFuture1999999999999" };
  await db().query("INSERT INTO migrations (timestamp, name) VALUES ($1, $2)", [
    row.timestamp,
    row.name,
  ]);

  await expect(migrate(db())).rejects.toThrow(
    /made by another version of Fettle.+FromTheFuture.+DATA_DIR/,
  );

  await db().query("DELETE FROM migrations WHERE name = $1", [row.name]);
  expect(await migrate(db())).toEqual([]);
});

// The embedded database has no connections that could break.
test.runIf(inject("databaseUrl") !== null)(
  "reports a connection broken between statements as an unavailable database",
  async () => {
    const broken = commit({ db: db(), caller: null }, async (tx) => {
      const own = await tx.maybe<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await db().query("SELECT pg_terminate_backend($1)", [own?.pid]);
      await vi.waitFor(() => {
        expect(tx.queryRunner?.isReleased).toBe(true);
      }, 60_000);
      await tx.query("SELECT 1");
    });

    const error: unknown = await broken.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(toRefusal(error)).toMatchObject({ code: "unavailable" });
  },
);

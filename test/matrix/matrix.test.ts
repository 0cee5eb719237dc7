// @module-tag embedded

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { allEntities } from "../../server/src/db/entities.js";
import { isLong } from "../fuzz/settings.js";
import { press } from "../support/browser.js";
import { useAudit } from "../support/audit.js";
import { createDatabase, prepareDataDir, type TestDatabase } from "../support/database.js";
import { findBroken } from "../support/invariants.js";
import { countRows, findDifferences, findLost, findWrong, readRecords } from "./checks.js";
import { operations, type Operation } from "./operations.js";
import { otherTables, rows } from "./rows.js";
import { aWorld, organizationOf, type World } from "./world.js";

describe("matrix", () => {
  const audit = useAudit({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@acme.example" });
  const current = () => ({ ...audit.current(), config: audit.config });

  /** Creates a world with all of these rows. */
  async function prepare(names: string[]): Promise<World> {
    const world = await aWorld(current(), (args) => audit.command(args));
    for (const name of names) {
      try {
        await rows[name]?.hang(world);
      } catch (error) {
        throw new Error(`matrix: ${name} cannot be added`, { cause: error });
      }
    }
    return world;
  }

  test("has a row for every table", async () => {
    const claimed = new Set([
      ...Object.values(rows).flatMap(({ tables }) => tables),
      ...Object.keys(otherTables),
    ]);
    const all = allEntities.map(({ options }) => options.name);
    expect(all.filter((table) => !claimed.has(table))).toEqual([]);
    expect([...claimed].filter((table) => !all.includes(table))).toEqual([]);

    const world = await prepare(Object.keys(rows));
    expect(await findWrong(world)).toEqual([]);
    const counts = await countRows(current().db, organizationOf(world));
    const ofRows = Object.values(rows).flatMap(({ tables }) => tables);
    expect(ofRows.filter((table) => counts.get(table) === 0)).toEqual([]);
  });

  // The embedded database is slow and behaves identically.
  const isWhole = inject("databaseUrl") !== null || isLong;
  const few = new Set([
    "merge",
    "complete work",
    "force_delete_asset",
    "delete_workspace",
    "erase person",
  ]);
  const chosen = Object.entries(operations).filter(([name]) => isWhole || few.has(name));

  test.each(chosen)("%s", async (name, operation) => {
    const problems = await tryOut(Object.keys(rows), operation);
    if (problems.length === 0) return;
    const bare = (await tryOut([], operation)).map((problem) => `nothing × ${name}: ${problem}`);
    const found = bare.length > 0 ? bare : await blame(Object.keys(rows), name, operation);
    expect.fail(found.map((line) => `matrix: ${line}`).join("\n"));
  });

  /** Narrows a failure down to one row or a combination of rows. */
  async function blame(names: string[], name: string, operation: Operation): Promise<string[]> {
    const problems = await tryOut(names, operation);
    if (problems.length === 0) return [];
    const told = problems.map((problem) => `${names.join(" and ")} × ${name}: ${problem}`);
    if (names.length === 1) return told;
    const half = names.length / 2;
    const found = [
      ...(await blame(names.slice(0, half), name, operation)),
      ...(await blame(names.slice(half), name, operation)),
    ];
    return found.length > 0 ? found : told;
  }

  /** Returns the problems, or an empty list. */
  async function tryOut(names: string[], operation: Operation): Promise<string[]> {
    const world = await prepare(names);
    await operation.prepare?.(world);
    const before = await readRecords(world);
    const problems = await attempt(world, operation);
    if (operation.isUndone !== true || problems.length > 0) return problems;
    const done = await readRecords(world);
    if (findDifferences(before, done).length === 0) return [];
    let set = "";
    const undone = await attempt(world, {
      loses: ["maintenance_plans", "meters", "meter_readings"],
      act: async ({ pages, app }) => {
        const address = `/settings/apps/${app.connectionId}/undo?span=hour`;
        const answer = await press(pages, await pages.get(address), "Undo");
        set = String(answer.headers.location);
      },
    });
    const kept = await findKept(world);
    const back = [...undone, ...findDifferences(before, await readRecords(world), kept)];
    if (back.length > 0) return back.map((problem) => `undone: ${problem}`);
    const redone = await attempt(world, {
      act: async ({ pages }) => press(pages, await pages.get(set), "Redo"),
    });
    const keptThen = new Set([...kept, ...(await findKept(world))]);
    const again = [...redone, ...findDifferences(done, await readRecords(world), keptThen)];
    return again.map((problem) => `redone: ${problem}`);
  }

  /** The records that undo or redo reports as conflicts and leaves unchanged. */
  async function findKept(world: World): Promise<ReadonlySet<string>> {
    const told = await current().db.query<{ id: string }>(
      `SELECT subject_id AS id FROM change_set_rows WHERE organization_id = $1 AND subject_id IS NOT NULL
         AND jsonb_array_length(coalesce(details -> 'conflicts', '[]')) > 0`,
      [organizationOf(world)],
    );
    return new Set(told.map(({ id }) => id));
  }

  async function attempt(
    world: World,
    { act, loses, isLast = false }: Operation,
  ): Promise<string[]> {
    const before = await countRows(current().db, organizationOf(world));
    try {
      await act(world);
    } catch (error) {
      return [error instanceof Error ? error.message.slice(0, 400) : String(error)];
    }
    if (isLast) return [];
    const lost = await findLost(world, before, loses);
    return [...lost, ...(await findWrong(world))];
  }

  describe("database after all actions", () => {
    const folder = mkdtempSync(join(tmpdir(), "matrix-"));
    const file = join(folder, "matrix.backup");
    const after: (() => unknown)[] = [
      () => {
        rmSync(folder, { recursive: true });
      },
    ];
    afterAll(async () => {
      for (const step of after.reverse()) await step();
    });

    async function anotherDatabase(): Promise<TestDatabase> {
      const database = await createDatabase();
      after.push(database.drop);
      return database;
    }

    async function run(args: string[], variables: Record<string, string> = {}): Promise<void> {
      const { code, errors } = await audit.command(args, variables);
      expect(code, errors.join()).toBe(0);
    }

    async function expectSame(copy: TestDatabase): Promise<void> {
      const { db } = current();
      const organizations = await db.query<{ id: string }>("SELECT id FROM organizations");
      for (const { id } of organizations) {
        const counts = [await countRows(copy.db, id), await countRows(db, id)];
        // Calls are written in batches, so the last ones may be newer than the copy.
        for (const byTable of counts) byTable.delete("tool_call_log");
        expect(counts[0]).toEqual(counts[1]);
        const [found, kept] = [await findBroken(copy.db, id), await findBroken(db, id)];
        expect(found.toSorted()).toEqual(kept.toSorted());
      }
    }

    test("is identical after a restore from backup", async () => {
      const target = await anotherDatabase();
      await run(["backup", "--to", file]);
      const { url = "", dataDir = "" } = target;
      await run(["restore", "--from", file], { DATABASE_URL: url, DATA_DIR: dataDir });
      await expectSame(target);
    });

    // The embedded database has no server to move to.
    test.runIf(inject("databaseUrl") !== null)(
      "is identical after a move to PostgreSQL",
      async () => {
        const embedded = prepareDataDir();
        after.push(embedded.remove);
        const from = { DATABASE_URL: "", DATA_DIR: embedded.path };
        await run(["restore", "--from", file], from);
        const target = await anotherDatabase();
        await run(["move", "--to", target.url ?? ""], from);
        await expectSame(target);
      },
    );
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Listed {
  tasks: { id: string; title: string; state: string }[];
  total_count: number;
  next_cursor?: string;
}

const list = (person: Connected, filters: Json = {}) =>
  person.ok<Listed>("list_maintenance_tasks", filters);

/** Titles of all pages. `between` runs once, after the first page. */
async function readAll(person: Connected, filters: Json, between?: () => Promise<unknown>) {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page: Listed = await list(person, { ...filters, ...(cursor && { cursor }) });
    seen.push(...page.tasks.map(({ title }) => title));
    if (cursor === undefined) await between?.();
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return seen;
}

describe("order of list_maintenance_tasks", () => {
  const testApp = useApp();
  let owner: Connected;
  let assetId: string;

  const add = (title: string, columns: Record<string, string> = {}) =>
    aTask(testApp().db, owner.member, { asset_id: assetId, title, ...columns });

  beforeAll(async () => {
    owner = await connect(testApp());
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
    assetId = asset.id;
    const at = (second: string) => `2026-01-05T10:00:00.${second}Z`;
    await add("open undated", { updated_at: at("000007") });
    await add("open soon", { due_date: "2031-01-02", updated_at: at("000006") });
    await add("open later", { due_date: "2031-01-09", updated_at: at("000005") });
    await add("done first", {
      state: "completed",
      due_date: "2031-01-01",
      completed_at: at("000001"),
      updated_at: at("000004"),
    });
    await add("done last", {
      state: "completed",
      completed_at: at("000002"),
      updated_at: at("000003"),
    });
    await add("dropped", { state: "cancelled", due_date: "2031-01-03", updated_at: at("000001") });
  });

  test.each<[Json, string[]]>([
    [{}, ["open soon", "open later", "open undated", "done first", "dropped", "done last"]],
    [
      { sort: "-updated_at" },
      ["open undated", "open soon", "open later", "done first", "done last", "dropped"],
    ],
    [{ sort: "-completed_at", state: "completed" }, ["done last", "done first"]],
  ])("%j has one order on a single page and across pages", async (filters, expected) => {
    const onePage = await list(owner, { ...filters, limit: 100 });
    const paged = await readAll(owner, { ...filters, limit: 1 });

    expect(onePage.tasks.map(({ title }) => title)).toEqual(expected);
    expect(onePage).not.toHaveProperty("next_cursor");
    expect(paged).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ["due_date", ["done first", "open soon", "dropped", "open later"]],
    ["-due_date", ["open later", "dropped", "open soon", "done first"]],
    ["-completed_at", ["done last", "done first"]],
  ])("sorting by %s puts rows without a value last", async (sort, first) => {
    const paged = await readAll(owner, { sort, limit: 1 });

    expect(paged.slice(0, first.length)).toEqual(first);
    expect(new Set(paged).size).toBe(6);
    expect(paged).toHaveLength(6);
  });
});

describe("paging through tasks", () => {
  const testApp = useApp();

  async function start(count: number, columns: Record<string, string> = {}) {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
    const add = (title: string, more: Record<string, string> = {}) =>
      aTask(testApp().db, owner.member, { asset_id: asset.id, title, ...columns, ...more });
    const tasks: { id: string }[] = [];
    for (let index = 1; index <= count; index += 1) tasks.push(await add(`Task ${index}`));
    return { owner, add, tasks };
  }

  test.each(["urgency", "due_date", "-due_date", "-completed_at", "-updated_at"])(
    "by %s, returns every row once when all values are equal",
    async (sort) => {
      const { owner } = await start(7, {
        due_date: "2031-01-01",
        updated_at: "2026-01-05T10:00:00Z",
      });

      const seen = await readAll(owner, { sort, limit: 2 });

      expect(seen).toHaveLength(7);
      expect(new Set(seen).size).toBe(7);
    },
  );

  test("returns unchanged rows once during other changes", async () => {
    const { owner, add, tasks } = await start(6, { due_date: "2031-01-05" });
    const { db } = testApp();
    const order = (await list(owner)).tasks.map(({ title }) => title);

    const seen = await readAll(owner, { limit: 2 }, async () => {
      await add("New and before", { due_date: "2031-01-01" });
      await add("New and behind", { due_date: "2031-01-09" });
      await db.query("DELETE FROM maintenance_tasks WHERE id = $1", [
        tasks.find((_, index) => `Task ${index + 1}` === order[1])?.id,
      ]);
      await db.query(
        "UPDATE maintenance_tasks SET state = 'cancelled', cancelled_at = now() WHERE title = $1 AND organization_id = $2",
        [order[3], owner.member.organizationId],
      );
    });

    expect(seen).toEqual([...order.slice(0, 3), order[4], order[5], "New and behind", order[3]]);
  });

  test("a cursor works only for its list, arguments and organization", async () => {
    const { owner } = await start(3);
    const { owner: stranger } = await start(3);
    const { next_cursor: cursor = "" } = await list(owner, { limit: 1 });
    const { next_cursor: foreign } = await owner
      .ok("create_asset", { name: "Second" })
      .then(() => owner.ok<{ next_cursor: string }>("list_assets", { limit: 1 }));

    for (const [person, args] of [
      [owner, { cursor, limit: 1, state: "open" }],
      [owner, { cursor, limit: 1, sort: "due_date" }],
      [owner, { cursor: foreign, limit: 1 }],
      [stranger, { cursor, limit: 1 }],
    ] as const) {
      const refusal = await person.refused("list_maintenance_tasks", args);
      expect(refusal).toMatchObject({ code: "validation_failed", field: "cursor" });
    }
    expect((await list(owner, { cursor, limit: 5 })).tasks).toHaveLength(2);
  });

  test("splits a page of long rows at 60 KB and continues", async () => {
    const { owner, add } = await start(0);
    const long = "漢".repeat(190);
    for (let index = 100; index < 200; index += 1) await add(`${index} ${long}`);

    const page = await list(owner, { limit: 100 });
    const seen = await readAll(owner, { limit: 100 });

    expect(Buffer.byteLength(JSON.stringify(page.tasks))).toBeLessThanOrEqual(60_000);
    expect(page.tasks.length).toBeLessThan(100);
    expect(page.total_count).toBe(100);
    expect(new Set(seen).size).toBe(100);
  });
});

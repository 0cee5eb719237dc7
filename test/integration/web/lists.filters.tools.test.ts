import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Listed {
  assets: { name: string; tags?: string[]; deleted_at?: string; deletion_reason?: string }[];
  tasks: { title: string; estimated_minutes?: number }[];
  total_count: number;
}

describe("list filters", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
    const { organizationId } = owner.member;
    await testApp().db.query("UPDATE organizations SET time_zone = 'Europe/Berlin' WHERE id = $1", [
      organizationId,
    ]);
    await owner.ok("create_asset", {
      assets: [
        { name: "Drill", state: "in_use", criticality: "high", tags: ["hand tool"] },
        {
          name: "Lift",
          state: "stored",
          criticality: "critical",
          warranty_expires_on: "2030-06-30",
        },
        { name: "Press", state: "out_of_service", criticality: "low" },
        { name: "Saw", state: "available" },
      ],
    });
    const of = async (name: string) =>
      (await owner.ok<{ assets: { id: string }[] }>("list_assets", { query: name })).assets[0]?.id;
    const plan = async (name: string, task: Json) =>
      owner.ok("create_maintenance_task", { asset_id: await of(name), ...task });
    await plan("Drill", { title: "Late", due_date: "2026-01-05", priority: "urgent" });
    await plan("Lift", { title: "Some day", type: "inspection", estimated_minutes: 45 });
    await plan("Saw", {
      title: "Old repair",
      type: "corrective",
      // Already the next day in Berlin.
      completed: { completed_at: "2026-02-28T23:30:00Z" },
    });
    await owner.ok("update_asset_state", {
      asset_id: await of("Press"),
      state: "deleted",
      reason: "sold",
    });
  });

  const assets = async (filters: Json) =>
    (await owner.ok<Listed>("list_assets", filters)).assets.map(({ name }) => name);
  const tasks = async (filters: Json) =>
    (await owner.ok<Listed>("list_maintenance_tasks", filters)).tasks.map(({ title }) => title);

  test.each<[Json, string[]]>([
    [{ state: ["in_use", "stored"] }, ["Drill", "Lift"]],
    [{ state: "in_use, deleted" }, ["Drill", "Press"]],
    [{ state: "retired" }, ["Press"]],
    [{ state: ["stored", "all"] }, ["Drill", "Lift", "Press", "Saw"]],
    [{ criticality: ["high", "critical"] }, ["Drill", "Lift"]],
    [{ without_open_tasks: true }, ["Saw"]],
    [{ overdue: true }, ["Drill"]],
    [{ not_seen_since: "2026-01-01" }, ["Drill", "Lift", "Saw"]],
    [{ warranty_expires_to: "2030-06-30" }, ["Lift"]],
    [{ warranty_expires_before: "2030-06-30" }, []],
  ])("lists assets by %j", async (filters, names) => {
    expect(await assets(filters)).toEqual(names);
    expect(await owner.ok<Listed>("list_assets", filters)).toMatchObject({
      total_count: names.length,
    });
  });

  test.each<[Json, string[]]>([
    [{ state: ["overdue", "completed"], sort: "due_date" }, ["Late", "Old repair"]],
    [{ state: ["open", "all"], sort: "due_date" }, ["Late", "Some day", "Old repair"]],
    [{ priority: ["urgent", "high"] }, ["Late"]],
    [{ type: ["inspection", "corrective"], state: "open" }, ["Some day"]],
    [{ completed_from: "2026-03-01", completed_to: "2026-03-01" }, ["Old repair"]],
    [{ completed_to: "2026-02-28" }, []],
  ])("lists tasks by %j", async (filters, titles) => {
    expect((await tasks(filters)).toSorted()).toEqual(titles.toSorted());
  });

  test("returns only the requested fields, and leaves out ids on request", async () => {
    const some = await owner.ok<{ assets: Json[] }>("list_assets", {
      query: "drill",
      fields: ["name", "state"],
    });
    const plain = await owner.ok<{ tasks: Json[] }>("list_maintenance_tasks", {
      query: "late",
      include_ids: false,
    });
    const events = await owner.ok<{ events: Json[] }>("search_asset_history", {
      fields: "type",
      limit: 1,
    });
    const unknown = await owner.refused("list_assets", { fields: ["nam"] });

    expect(some.assets).toEqual([{ name: "Drill", state: "in_use" }]);
    expect(Object.keys(plain.tasks[0] ?? {})).toContain("task_number");
    expect(Object.keys(plain.tasks[0] ?? {}).filter((name) => /(?:^|_)id$/.test(name))).toEqual([]);
    expect(Object.keys(events.events[0] ?? {})).toEqual(["type"]);
    expect(unknown.message).toContain('fields[0] "nam" is not one of: id, inventory_number, name');
  });

  test("rejects dates in the wrong order", async () => {
    const refusal = await owner.refused("list_maintenance_tasks", {
      completed_from: "2026-03-02",
      completed_to: "2026-03-01",
    });

    expect(refusal.message).toContain("completed_from 2026-03-02 is after completed_to 2026-03-01");
  });

  test("rows include tags, estimates, and the date and reason of retirement", async () => {
    const retired = await owner.ok<Listed>("list_assets", { state: "deleted" });
    const drill = await owner.ok<Listed>("list_assets", { query: "drill" });
    const open = await owner.ok<Listed>("list_maintenance_tasks", { query: "some day" });

    expect(retired.assets).toMatchObject([
      { deletion_reason: "sold", deleted_at: expect.stringMatching(/T.*[+]0[12]:00$/) as string },
    ]);
    expect(drill.assets).toMatchObject([{ tags: ["hand tool"] }]);
    expect(open.tasks).toMatchObject([{ estimated_minutes: 45 }]);
  });

  test("returns and accepts times in the organization's time zone", async () => {
    const { tasks: found } = await owner.ok<{ tasks: { task_number: string }[] }>(
      "list_maintenance_tasks",
      { query: "repair" },
    );
    const task_id = found[0]?.task_number;
    const get = async () =>
      (await owner.ok<{ task: { completed_at: string } }>("get_maintenance_task", { task_id })).task
        .completed_at;
    expect(await get()).toBe("2026-03-01T00:30:00+01:00");

    const answer = await owner.ok("update_maintenance_task", {
      task_id,
      state: "completed",
      completed_at: "2026-07-01 09:15",
    });

    expect(await get()).toBe("2026-07-01T09:15:00+02:00");
    expect(answer["changed"]).toContainEqual({
      field: "completed_at",
      from: "2026-03-01T00:30:00+01:00",
      to: "2026-07-01T09:15:00+02:00",
    });
  });

  test("keeps text that looks like a time as written", async () => {
    const name = "2026-01-01T00:00:00Z";
    const { asset } = await owner.ok<{ asset: { id: string; name: string } }>("create_asset", {
      name,
    });
    await owner.ok("update_asset", { asset_id: asset.id, name: `${name}!` });

    const { events } = await owner.ok<{ events: { changes: object[] }[] }>("search_asset_history", {
      asset_id: asset.id,
      field: "name",
    });

    expect(asset.name).toBe(name);
    expect(events[0]?.changes).toEqual([{ field: "name", from: name, to: `${name}!` }]);
  });
});

describe("history by source", () => {
  const testApp = useApp();

  test("finds assistants' changes by source, app and task", async () => {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Fan" });
    const { task } = await owner.ok<{ task: { task_number: string } }>("create_maintenance_task", {
      asset_id: asset.id,
      title: "Clean",
    });
    await testApp().db.query(
      `INSERT INTO history_events (organization_id, id, asset_id, occurred_at, type, actor_name,
         source, note) VALUES ($1, 'evt_web', $2, now(), 'note_added', 'Ana', 'web', 'by hand')`,
      [owner.member.organizationId, asset.id],
    );
    const search = async (filters: Json) => {
      const { events } = await owner.ok<{ events: { type: string; client?: string }[] }>(
        "search_asset_history",
        filters,
      );
      return events;
    };
    const all = await search({});
    const client = all.find((event) => event.client !== undefined)?.client ?? "";

    expect(all).toHaveLength(3);
    expect((await search({ source: "web" })).map(({ type }) => type)).toEqual(["note_added"]);
    expect((await search({ source: "mcp" })).map(({ type }) => type)).toEqual([
      "task_created",
      "asset_created",
    ]);
    expect(await search({ client: client.slice(0, 4).toUpperCase() })).toHaveLength(2);
    expect(await search({ client: "100%" })).toEqual([]);
    for (const filters of [{ task_id: task.task_number }, { query: task.task_number }]) {
      expect((await search(filters)).map(({ type }) => type)).toEqual(["task_created"]);
    }
    expect(await search({ query: client })).toHaveLength(2);
  });
});

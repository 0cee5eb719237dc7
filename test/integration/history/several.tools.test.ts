import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected } from "../../support/mcp.js";

interface Row {
  id: string;
  inventory_number: string;
  name: string;
  state: string;
  version?: number;
  unchanged?: true;
}

interface TaskRow {
  id: string;
  task_number: string;
  state: string;
  version?: number;
  next_task?: string;
}

describe("several records in one call", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Hall 3" });
  });

  const create = async (names: string[], more = {}) =>
    (
      await owner.ok<{ assets: Row[] }>("create_asset", {
        assets: names.map((name) => ({ name })),
        ...more,
      })
    ).assets;
  const countAssets = async () =>
    (await owner.ok<{ total_count: number }>("list_assets", { limit: 1 })).total_count;

  test("creates assets together with the shared fields", async () => {
    const answer = await owner.ok<{ assets: Row[] }>("create_asset", {
      workspace_id: "Hall 3",
      category: "Compressor",
      state: "stored",
      assets: [
        { name: "Compressor 1", serial_number: "A-1", tags: "air, rented" },
        { name: "Compressor 2", serial_number: "A-2", state: "in_use", category: "Dryer" },
      ],
    });

    expect(answer.assets).toMatchObject([
      { name: "Compressor 1", state: "stored", version: 1 },
      { name: "Compressor 2", state: "in_use", version: 1 },
    ]);
    const [first, second] = answer.assets;
    expect(await owner.ok("get_asset", { asset_id: first?.inventory_number })).toMatchObject({
      asset: { category: "Compressor", workspace_name: "Hall 3", tags: ["air", "rented"] },
    });
    expect(await owner.ok("get_asset", { asset_id: second?.id })).toMatchObject({
      asset: { category: "Dryer", workspace_name: "Hall 3" },
    });
  });

  test("names every wrong row and creates nothing", async () => {
    const before = await countAssets();

    const refusal = await owner.refused("create_asset", {
      assets: [
        { name: "Good" },
        { name: "Late", purchase_date: "2999-01-01" },
        { location: "Bay 3" },
        { name: "Lost", workspace_id: "Nowhere" },
      ],
    });

    expect(refusal.message).toMatch(
      /^Nothing was changed, because 3 of 4 were refused\. assets\[1\] "Late": Validation failed: purchase_date 2999-01-01 is after today.* assets\[2\]: Validation failed: name is missing\. assets\[3\] "Lost": Workspace not found/,
    );
    expect(refusal).toMatchObject({
      code: "validation_failed",
      field: "assets",
      details: { refused: [{ index: 1 }, { index: 2 }, { index: 3, code: "not_found" }] },
    });
    expect(await countAssets()).toBe(before);
  });

  test("checks the other rows even when a number is taken", async () => {
    const [taken] = await create(["Taken"]);

    const refusal = await owner.refused("create_asset", {
      assets: [
        { name: "One", inventory_number: taken?.inventory_number },
        { name: "Two", inventory_number: "OWN-2" },
        { name: "Three", inventory_number: "OWN-2" },
      ],
    });

    expect(refusal.details).toMatchObject({ refused: [{ index: 0 }, { index: 2 }] });
  });

  test("lists every refused row in the text, grouped by reason", async () => {
    const names = Array.from({ length: 14 }, (_, at) => `Row ${at}`);
    const assets = names.map((name, at) => ({
      name,
      ...(at % 2 === 1 && { workspace_id: "Nowhere" }),
      ...(at === 4 && { inventory_number: "inv_1" }),
    }));

    const { message } = await owner.refused("create_asset", { assets });

    expect(message).toContain("because 7 of 14 were refused");
    expect(message).toContain("assets[1, 3, 5, 7, 9, 11, 13]: Workspace not found");
    expect(message.match(/Nowhere/g)).toHaveLength(1);
  });

  test("warns about a duplicate name in the workspace and a record of cancelled work", async () => {
    const place = { workspace_id: "Twins" };
    await owner.ok("create_workspace", { name: "Twins" });
    await owner.ok("create_asset", { name: "Boiler", ...place });
    const again = await owner.ok<{ warnings: string[] }>("create_asset", {
      name: "boiler",
      ...place,
    });
    expect(again.warnings).toEqual([expect.stringContaining("has the same name")]);

    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ title: "Oil", ...place },
    });
    const cancelled = await owner.ok<{ warnings: string[] }>("update_maintenance_task", {
      ...{ task_id: task.id, state: "cancelled", completion_notes: "Oiled", actual_minutes: 5 },
    });
    expect(cancelled.warnings.join(" ")).toContain("completion_notes, actual_minutes were saved");
  });

  test("distinguishes a pending invitation from an unknown person", async () => {
    await owner.ok("create_invite", { email: "late@example.com", organization_role: "admin" });
    const given = { name: "Van", assigned_to_user_id: "late@example.com" };
    expect((await owner.refused("create_asset", given)).message).toContain(
      "is invited and has not accepted yet",
    );
  });

  test("validates each row against its parameters", async () => {
    const unknown = await owner.refused("create_asset", { assets: [{ name: "A", colour: "red" }] });
    const wrong = await owner.refused("create_asset", { assets: [{ name: "A", condition: "?" }] });

    expect(unknown.message).toContain('unknown parameter "assets[0].colour"');
    expect(wrong.message).toContain('assets[0].condition "?" is not one of: excellent');
  });

  test("applies a request key to all rows together", async () => {
    const key = { request_key: "delivery-7" };
    const first = await create(["Fan 1", "Fan 2"], key);
    const before = await countAssets();

    expect(await create(["Fan 1", "Fan 2"], key)).toEqual(first);
    expect(await countAssets()).toBe(before);
    const refusal = await owner.refused("create_asset", { assets: [{ name: "Fan 3" }], ...key });
    expect(refusal.message).toContain("request_key was already used");
  });

  test("a dry run of several rows creates none and returns no versions", async () => {
    const before = await countAssets();

    const rows = await create(["Tried 1", "Tried 2"], { dry_run: true });

    expect(rows).toHaveLength(2);
    expect(rows[0]).not.toHaveProperty("version");
    expect(await countAssets()).toBe(before);
  });

  test("an update reports all changes and the unchanged records", async () => {
    const rows = await create(["Lift 1", "Lift 2", "Lift 3"]);
    await owner.ok("update_asset", { asset_id: rows[1]?.id, location: "Roof" });

    const answer = await owner.ok<{ assets: Row[]; changed: object[] }>("update_asset", {
      asset_ids: rows.map(({ inventory_number }) => inventory_number),
      location: "Roof",
    });

    expect(answer.assets.map(({ unchanged = false }) => unchanged)).toEqual([false, true, false]);
    expect(answer.changed).toEqual([{ field: "location", to: "Roof" }]);
    expect(answer).toMatchObject({
      warnings: [expect.stringContaining("already has these values")],
    });
  });

  test("a refused record leaves the others unchanged", async () => {
    const rows = await create(["Gate 1", "Gate 2"]);
    const references = [rows[0]?.inventory_number, "434-999999", rows[1]?.inventory_number];

    const refusal = await owner.refused("update_asset_state", {
      asset_ids: references,
      state: "retired",
    });

    expect(refusal).toMatchObject({ code: "not_found", field: "asset_ids" });
    expect(refusal.message).toContain("because 1 of 3 were refused. 434-999999: Asset not found");
    expect(await owner.ok("get_asset", { asset_id: rows[0]?.id })).toMatchObject({
      asset: { state: "available", version: 1 },
    });
  });

  test("changes states together and reports hidden tasks of retired assets", async () => {
    const rows = await create(["Pump 1", "Pump 2"]);
    await owner.ok("create_maintenance_task", { asset_id: rows[0]?.id, title: "Seal" });

    const answer = await owner.ok<{ assets: Row[] }>("update_asset_state", {
      asset_ids: rows.map(({ id }) => id),
      state: "deleted",
      reason: "sold",
    });

    expect(answer).toMatchObject({
      assets: [
        { state: "deleted", open_tasks_hidden: 1 },
        { state: "deleted", open_tasks_hidden: 0 },
      ],
      restore_hint: expect.stringContaining("update_asset_state") as string,
    });
  });

  test("rejects single-record parameters with several records", async () => {
    const refusal = await owner.refused("update_asset", {
      asset_ids: ["434-000001", "434-000002"],
      expected_version: 3,
      location: "Roof",
    });
    const both = await owner.refused("update_asset", {
      asset_id: "434-000001",
      asset_ids: ["434-000002"],
      location: "Roof",
    });

    expect(refusal.message).toContain("expected_version only works with asset_id");
    expect(both.message).toContain("asset_id and asset_ids are both given. Give one of the two.");
    expect((await owner.refused("update_asset", { location: "Roof" })).message).toBe(
      "Validation failed: asset_id is missing. Give asset_id, or asset_ids for several.",
    );
  });

  test("creates tasks for several assets and completes them together", async () => {
    const rows = await create(["Door 1", "Door 2"]);

    const { tasks } = await owner.ok<{ tasks: TaskRow[] }>("create_maintenance_task", {
      asset_ids: rows.map(({ id }) => id),
      title: "Yearly inspection",
      due_date: "2030-01-31",
      recurrence: { every: 1, unit: "year" },
      checklist: ["Hinges", "Seal"],
    });
    const done = await owner.ok<{ tasks: TaskRow[]; changed: { field: string }[] }>(
      "update_maintenance_task",
      {
        task_ids: tasks.map(({ task_number }) => task_number),
        state: "done",
        checklist_tick: [1, 2],
        actual_minutes: 20,
      },
    );

    expect(tasks).toMatchObject([{ asset_name: "Door 1" }, { asset_name: "Door 2" }]);
    expect(done.tasks).toMatchObject([
      { state: "completed", next_task: expect.stringMatching(/^T-\d+$/) as string },
      { state: "completed", next_task: expect.stringMatching(/^T-\d+$/) as string },
    ]);
    expect(done.changed).toContainEqual({ field: "state", from: "scheduled", to: "completed" });
  });

  test("rejects more than 100 records before reading any", async () => {
    const refusal = await owner.refused("update_asset", {
      asset_ids: Array.from({ length: 101 }, (_, index) => `434-${index}`),
      location: "Roof",
    });

    expect(refusal.message).toBe("Validation failed: asset_ids must have at most 100 entries.");
  });
});

describe("work already done", () => {
  const testApp = useApp();

  test("is logged in one call, with its next occurrence", async () => {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<{ asset: Row }>("create_asset", { name: "Boiler" });
    const at = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const day = at.slice(0, 10);

    const answer = await owner.ok("create_maintenance_task", {
      asset_id: asset.id,
      title: "Change the filter",
      due_date: day,
      recurrence: { every: 6, unit: "month", anchor: "completion_date" },
      completed: { completed_at: at, actual_minutes: 30, parts_cost: 12.5 },
    });

    expect(answer).toMatchObject({
      task: { state: "completed", asset_name: "Boiler" },
      next_task: { task_number: expect.stringMatching(/^T-/) as string },
    });
    expect(answer["warnings"] ?? []).not.toContainEqual(expect.stringContaining("overdue"));
    expect(await owner.ok("get_asset", { asset_id: asset.id })).toMatchObject({
      maintenance: { last_completed_on: day, cost_365d: { USD: 12.5 } },
    });
  });

  test("is logged for several assets at once", async () => {
    const owner = await connect(testApp());
    const { assets } = await owner.ok<{ assets: Row[] }>("create_asset", {
      assets: [{ name: "Lamp 1" }, { name: "Lamp 2" }],
    });

    const { tasks } = await owner.ok<{ tasks: TaskRow[] }>("create_maintenance_task", {
      asset_ids: assets.map(({ id }) => id),
      title: "Clean",
      completed: {},
    });

    expect(tasks.map(({ state }) => state)).toEqual(["completed", "completed"]);
  });
});

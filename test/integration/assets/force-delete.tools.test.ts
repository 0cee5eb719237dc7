import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Made {
  asset: { id: string; inventory_number: string };
}

const mismatch =
  "Confirmation does not match: nothing was deleted. Read the asset with get_asset, show it to the person, then pass its inventory_number unchanged.";

describe("force_delete_asset", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Olga Owner" });
    await owner.ok("create_workspace", { name: "Lab" });
  });

  const anAsset = async (fields: Json = {}) => {
    const { asset } = await owner.ok<Made>("create_asset", {
      name: "Pump",
      workspace_id: "Lab",
      ...fields,
    });
    return asset;
  };
  const confirm = ({ id, inventory_number }: Made["asset"]) => ({
    asset_id: id,
    confirm_inventory_number: inventory_number,
  });
  /** Number of rows in each table that refer to an asset or its tasks. */
  const traceOf = async (id: string) => {
    const row = await testApp().db.maybe<Json>(
      `WITH t AS (SELECT id, plan_id FROM maintenance_tasks WHERE asset_id = $1)
       SELECT (SELECT count(*)::int FROM assets WHERE id = $1) AS assets,
         (SELECT count(*)::int FROM t) AS tasks,
         (SELECT count(*)::int FROM history_events WHERE asset_id = $1) AS events,
         (SELECT count(*)::int FROM asset_state_periods WHERE asset_id = $1) AS periods,
         (SELECT count(*)::int FROM idempotency_records
           WHERE strpos(result::text, $1) > 0) AS results`,
      [id],
    );
    return row;
  };
  const everything = () =>
    testApp().db.query<Json>(`SELECT (SELECT jsonb_agg(a.* ORDER BY a.id) FROM assets a) AS assets,
         (SELECT jsonb_agg(t.* ORDER BY t.id) FROM maintenance_tasks t) AS tasks,
         (SELECT count(*) FROM maintenance_plans) AS plans,
         (SELECT count(*) FROM task_checklist_items) AS items,
         (SELECT count(*) FROM history_events) AS events,
         (SELECT count(*) FROM asset_state_periods) AS periods,
         (SELECT count(*) FROM idempotency_records) AS results,
         (SELECT count(*) FROM deletion_records) AS deletions,
         (SELECT count(*) FROM retired_inventory_numbers) AS numbers,
         (SELECT count(*) FROM activity_log) AS activity`);

  /** An asset with a retirement, two tasks (one with a plan and checklist) and a part. */
  async function aFullLife() {
    const asset = await anAsset({ request_key: crypto.randomUUID(), name: "Secret name" });
    const part = await anAsset({ parent_asset_id: asset.id, name: "Part" });
    const { db } = testApp();
    const { organizationId, userId } = owner.member;
    const plan = `pln_${asset.id.slice(4)}`;
    await db.query(
      `INSERT INTO maintenance_plans (id, organization_id, every, unit, anchor, anchor_day, created_by)
       VALUES ($1, $2, 1, 'month', 'due_date', 1, $3)`,
      [plan, organizationId, userId],
    );
    const { id } = await aTask(db, owner.member, {
      asset_id: asset.id,
      plan_id: plan,
      occurrence: 1,
      labor_cost: 100.5,
      parts_cost: 20,
      currency: "EUR",
      state: "completed",
    });
    await owner.ok("create_maintenance_task", {
      asset_id: asset.id,
      title: "Look",
      request_key: crypto.randomUUID(),
    });
    await db.query(
      "INSERT INTO task_checklist_items (organization_id, task_id, position, label) VALUES ($1, $2, 1, 'Oil')",
      [organizationId, id],
    );
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "deleted" });
    return { asset, part, plan };
  }

  test("erases the asset, its tasks, and history, but keeps a record and the number", async () => {
    const { asset, part, plan } = await aFullLife();

    const answer = await owner.ok("force_delete_asset", confirm(asset));

    expect(answer).toEqual({
      deleted: true,
      asset_id: asset.id,
      inventory_number: asset.inventory_number,
      name: "Secret name",
      tasks_removed: 2,
      history_events_removed: 3,
      files_removed: 0,
    });
    expect(await traceOf(asset.id)).toEqual({
      assets: 0,
      tasks: 0,
      events: 0,
      periods: 0,
      results: 0,
    });
    const { db } = testApp();
    expect(await db.query("SELECT 1 FROM maintenance_plans WHERE id = $1", [plan])).toEqual([]);
    const record = await db.maybe<Json>(
      `SELECT workspace_name, inventory_number, asset_name, actor_user_id, actor_name, client_name,
         tasks_removed, events_removed FROM deletion_records WHERE asset_id = $1`,
      [asset.id],
    );
    expect(record).toEqual({
      workspace_name: "Lab",
      inventory_number: asset.inventory_number,
      asset_name: "Secret name",
      actor_user_id: owner.member.userId,
      actor_name: "Olga Owner",
      client_name: "fettle-bridge",
      tasks_removed: 2,
      events_removed: 3,
    });
    const activity = await db.maybe<Json>(
      "SELECT details FROM activity_log WHERE type = 'asset_force_deleted' AND details ->> 'asset_id' = $1",
      [asset.id],
    );
    expect(activity).toEqual({
      details: {
        asset_id: asset.id,
        inventory_number: asset.inventory_number,
        asset_name: "Secret name",
        client_name: "fettle-bridge",
        tasks_removed: 2,
        events_removed: 3,
      },
    });
    const left = await owner.ok<{ asset: Json; recent_history: Json[] }>("get_asset", {
      asset_id: part.id,
    });
    expect(left.asset).not.toHaveProperty("parent_asset_id");
    expect(left.asset).toMatchObject({ version: 2 });
    expect(left.recent_history[0]).toMatchObject({
      type: "asset_moved",
      source: "system",
      changes: [{ field: "parent_asset_id", from: asset.id }],
    });
  });

  test("never reuses the number, and no longer finds the asset", async () => {
    const asset = await anAsset();
    await owner.ok("force_delete_asset", confirm(asset));

    const again = await owner.refused("force_delete_asset", confirm(asset));
    const taken = await owner.refused("create_asset", {
      name: "New",
      inventory_number: asset.inventory_number,
    });

    expect(again.message).toMatch(/^Asset not found for "ast_/);
    expect(taken.message).toContain("It belonged to a permanently deleted asset");
  });

  test("a dry run lists the losses and leaves no trace", async () => {
    const { asset } = await aFullLife();
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "available" });
    await owner.ok("update_asset", { asset_id: asset.id, warranty_expires_on: "2999-12-31" });
    const before = await everything();

    const answer = await owner.ok("force_delete_asset", { ...confirm(asset), dry_run: true });

    expect(await everything()).toEqual(before);
    expect(answer).toEqual({
      would_delete: true,
      asset_id: asset.id,
      inventory_number: asset.inventory_number,
      name: "Secret name",
      tasks_removed: 2,
      history_events_removed: 5,
      files_removed: 0,
      last_activity_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      recorded_cost: { EUR: 120.5 },
      warranty_expires_on: "2999-12-31",
      alternative:
        'To retire the asset and keep its history, use update_asset_state with state "deleted".',
      dry_run: true,
    });
  });

  test.each<[string, (number: string) => string]>([
    ["another number", () => "434-000000"],
    ["nothing", () => ""],
    ["a space after it", (number) => `${number} `],
    ["a space before it", (number) => ` ${number}`],
    ["other letters of the same form", (number) => number.toUpperCase()],
    ["another normal form", (number) => number.normalize("NFD")],
    ["a zero-width space in it", (number) => `${number}\u200B`],
  ])(
    "%s is rejected as confirmation without revealing the correct number",
    async (_what, change) => {
      const number = `pümpe-${crypto.randomUUID()}`;
      const asset = await anAsset({ inventory_number: number });
      const before = await everything();

      const refusal = await owner.refused("force_delete_asset", {
        asset_id: asset.id,
        confirm_inventory_number: change(number),
      });

      expect(refusal).toEqual({
        code: "confirmation_mismatch",
        message: mismatch,
        field: "confirm_inventory_number",
      });
      expect(await everything()).toEqual(before);
    },
  );

  test("takes an inventory number such as NULL literally", async () => {
    const asset = await anAsset({ inventory_number: "NULL" });
    const other = await owner.refused("force_delete_asset", {
      asset_id: asset.id,
      confirm_inventory_number: "null",
    });

    await owner.ok("force_delete_asset", confirm(asset));

    expect(other.code).toBe("confirmation_mismatch");
  });

  test.each<[string, Json, string]>([
    [
      "an inventory number",
      { asset_id: "434-000001" },
      "starting with ast_, not an inventory number",
    ],
    ["another kind of id", { asset_id: "wsp_0123456789ab" }, "starting with ast_"],
    ["no confirmation", { confirm_inventory_number: undefined }, "is missing"],
    ["a number instead of a text", { confirm_inventory_number: 434 }, "must be a string"],
    [
      "too long a text",
      { confirm_inventory_number: "x".repeat(65) },
      "has 65 characters. Use at most 64",
    ],
  ])("%s is rejected before any lookup", async (_what, args, words) => {
    const refusal = await owner.refused("force_delete_asset", {
      asset_id: "ast_000000000000",
      confirm_inventory_number: "x",
      ...args,
    });

    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message).toContain(words);
  });

  test("returns exactly the specified error when the scope is missing", async () => {
    const asset = await anAsset();
    const writer = await connect(testApp(), {
      member: owner.member,
      scopes: ["mcp_read", "mcp_write"],
    });

    const result = await writer.call("force_delete_asset", { nonsense: true });

    expect(result.content.map(({ text }) => text)).toEqual([
      "Insufficient scope. Required: mcp_destructive.",
      'This connection has mcp_read and mcp_write. The person can disconnect the app under Settings > Connected Apps, connect it again and select mcp_destructive on the consent page. To retire the asset instead, use update_asset_state with state "deleted".',
    ]);
    expect(await traceOf(asset.id)).toMatchObject({ assets: 1 });
  });

  test("allows only admins of the organization or the workspace", async () => {
    const { organization } = owner.member;
    const join = { organization, role: "member" } as const;
    const ana = await connect(testApp(), { ...join, workspace: "Lab", workspaceRole: "admin" });
    const mia = await connect(testApp(), { ...join, workspace: "Lab" });
    const nora = await connect(testApp(), join);
    const placed = await anAsset();
    const { asset: unplaced } = await owner.ok<Made>("create_asset", { name: "Van" });

    const asMember = await mia.refused("force_delete_asset", confirm(placed));
    const asOutsider = await nora.refused("force_delete_asset", confirm(placed));
    const notPlaced = await ana.refused("force_delete_asset", confirm(unplaced));
    await ana.ok("force_delete_asset", confirm(placed));

    expect(asMember.message).toMatch(/^Not authorized: your role in "Lab" is member; admin/);
    expect(asOutsider.code).toBe("not_found");
    expect(notPlaced.message).toMatch(/^Not authorized: your role in the organization is member/);
  });

  test("keeps other assets' history append-only, even after a deletion", async () => {
    const asset = await anAsset();
    const other = await anAsset();
    await owner.ok("force_delete_asset", confirm(asset));

    await expect(
      testApp().db.query("DELETE FROM history_events WHERE asset_id = $1", [other.id]),
    ).rejects.toThrow("append-only");
  });

  test("repeating another asset's creation succeeds without the warning about the erased asset", async () => {
    const same = { serial_number: "SN-77", manufacturer: "Acme" };
    const asset = await anAsset({ name: "Erased twin", ...same });
    const request = { name: "Other twin", ...same, request_key: crypto.randomUUID() };
    const first = await owner.ok<Made & Json>("create_asset", request);
    await owner.ok("update_asset", { asset_id: asset.id, name: "Renamed twin" });

    await owner.ok("force_delete_asset", confirm(asset));
    const again = await owner.ok<Made & Json>("create_asset", request);

    expect(JSON.stringify(first["warnings"])).toContain("Erased twin");
    expect(again).toEqual({ asset: first.asset, deduplicated: true });
  });

  test("the call log redacts a confirmation number sent as a number or list", async () => {
    const asset = await anAsset({ inventory_number: "4711" });
    await owner.refused("force_delete_asset", {
      asset_id: asset.id,
      confirm_inventory_number: 4711,
    });
    await owner.refused("force_delete_asset", {
      asset_id: asset.id,
      confirm_inventory_number: [4711],
    });

    await expect
      .poll(async () => {
        const rows = await testApp().db.query<Json>(
          `SELECT arguments -> 'confirm_inventory_number' AS number FROM tool_call_log
           WHERE tool = 'force_delete_asset' AND arguments ->> 'asset_id' = $1 ORDER BY created_at`,
          [asset.id],
        );
        return rows;
      })
      .toEqual([{ number: "[text 4]" }, { number: ["[text 4]"] }]);
  });

  test("the call log keeps the call without the number", async () => {
    const asset = await anAsset({ inventory_number: "A very private number" });
    await owner.ok("force_delete_asset", confirm(asset));

    await expect
      .poll(async () => {
        const rows = await testApp().db.query<Json>(
          `SELECT arguments, outcome FROM tool_call_log
           WHERE tool = 'force_delete_asset' AND arguments ->> 'asset_id' = $1`,
          [asset.id],
        );
        return rows;
      })
      .toEqual([
        {
          arguments: { asset_id: asset.id, confirm_inventory_number: "[text 21]" },
          outcome: "ok",
        },
      ]);
  });

  test("keeps recurring work that continues with another asset", async () => {
    const [gone, kept] = [await anAsset(), await anAsset()];
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: gone.id, title: "Service", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "month" },
    });
    const complete = (task_id: string) =>
      owner.ok<{ next_task?: { id: string } }>("update_maintenance_task", {
        ...{ task_id, state: "completed" },
      });
    const next = (await complete(task.id)).next_task?.id ?? "";
    const merge = { asset_id: gone.id, state: "deleted", merged_into: kept.id };
    await owner.ok("update_asset_state", merge);

    await owner.ok("force_delete_asset", confirm(gone));

    expect((await complete(next)).next_task).toBeDefined();
  });
});

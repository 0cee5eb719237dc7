import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { ChangedTask, CreatedTask } from "../../support/tasks.js";

describe("task edge cases", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
  });

  async function anAsset(state = "in_use"): Promise<string> {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Press",
      state,
    });
    return asset.id;
  }
  async function aTask(asset: string, fields: Json = {}): Promise<string> {
    const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
      asset_id: asset,
      title: "Repair",
      ...fields,
    });
    return task.id;
  }
  const update = (task: string, fields: Json) =>
    owner.ok<ChangedTask>("update_maintenance_task", { task_id: task, ...fields });
  const setState = (asset: string, state: string) =>
    owner.ok("update_asset_state", { asset_id: asset, state });
  async function stateOf(asset: string): Promise<unknown> {
    const read = await owner.ok<{ asset: Json }>("get_asset", { asset_id: asset });
    return read.asset["state"];
  }

  test("changes the recurrence on its newest occurrence, not on a reopened one", async () => {
    const task = await aTask(await anAsset(), {
      due_date: "2099-01-31",
      recurrence: { every: 1, unit: "week" },
    });
    const { next_task } = await update(task, { state: "completed" });
    await update(task, { state: "in_progress" });

    const refusal = await owner.refused("update_maintenance_task", {
      task_id: task,
      recurrence: { every: 1, unit: "week", ends_on: "2099-02-01" },
    });

    expect(refusal.code).toBe("invalid_transition");
    expect(refusal.message).toContain(`continues with ${next_task?.task_number}.`);
    await update(next_task?.id ?? "", { title: "Repair, again" });
  });

  test("a finished task doesn't restore a state after a manual change", async () => {
    const [asset, other] = [await anAsset(), await anAsset()];
    const [first, second] = [
      await aTask(asset, { requires_downtime: true }),
      await aTask(asset, { requires_downtime: true, type: "corrective" }),
    ];
    await update(first, { state: "in_progress" });
    await setState(asset, "out_of_service");
    await update(second, { state: "in_progress" });
    const kept = await aTask(other, { requires_downtime: true });
    await update(kept, { state: "in_progress" });
    for (const state of ["out_of_service", "in_maintenance"]) await setState(other, state);

    await update(second, { state: "completed" });
    await update(first, { state: "completed" });
    await update(kept, { state: "completed" });

    expect(await stateOf(asset)).toBe("out_of_service");
    expect(await stateOf(other)).toBe("in_maintenance");
  });

  test("adds up any number of long downtimes", async () => {
    const { db } = testApp();
    const asset = await anAsset();
    const most = 525_600;
    const task = await aTask(asset);
    await update(task, { state: "completed", downtime_minutes: most });
    await db.query(
      `INSERT INTO maintenance_tasks (id, organization_id, task_number, asset_id, title, type,
         state, completed_at, downtime_minutes, created_by)
       SELECT 'tsk_' || lpad(n::text, 12, '0'), organization_id, 1000 + n, asset_id, title, type,
         state, completed_at, downtime_minutes, created_by
       FROM maintenance_tasks, generate_series(1, 60) n WHERE id = $1`,
      [task],
    );

    const read = await owner.ok<{ maintenance: Json }>("get_asset", { asset_id: asset });

    expect(read.maintenance["downtime_minutes_365d"]).toBe(61 * most);
  });

  test("a conflict lists all fields of the last change on assets, tasks and workspaces", async () => {
    const asset = await anAsset();
    await owner.ok("create_workspace", { name: "Hall" });
    const change = { name: "Press 2", workspace_id: "Hall", assigned_to_user_id: "me" };
    await owner.ok("update_asset", { asset_id: asset, ...change });
    const task = await aTask(asset);
    await update(task, { state: "completed", priority: "high", parts_cost: 80 });
    await owner.ok("update_workspace", { workspace_id: "Hall", address: "Dock 4" });
    const stale = { expected_version: 1 };

    const ofAsset = await owner.refused("update_asset", { asset_id: asset, ...change, ...stale });
    const ofTask = await owner.refused("update_maintenance_task", {
      task_id: task,
      title: "X",
      ...stale,
    });
    const ofWorkspace = await owner.refused("update_workspace", {
      workspace_id: "Hall",
      address: "Dock 5",
      ...stale,
    });

    for (const field of ["workspace_id", "assigned_to_user_id", "name"]) {
      expect(ofAsset.message).toContain(field);
    }
    for (const field of ["state", "priority", "parts_cost"]) {
      expect(ofTask.message).toContain(field);
    }
    expect(ofWorkspace.message).toContain(`by "${owner.member.name}", `);
    expect(ofWorkspace.message).toContain(": address)");
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { daysFromNow, type ChangedTask, type CreatedTask } from "../../support/tasks.js";

interface Asset {
  id: string;
  state: string;
  version: number;
}

describe("task that requires downtime", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
  });

  async function anAsset(state = "in_use"): Promise<string> {
    const { asset } = await owner.ok<{ asset: Asset }>("create_asset", { name: "Pump", state });
    return asset.id;
  }

  async function aTask(asset: string, fields: Json = {}): Promise<string> {
    const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
      asset_id: asset,
      title: "Overhaul",
      requires_downtime: true,
      ...fields,
    });
    return task.id;
  }

  const setTask = (task: string, state: string, fields: Json = {}) =>
    owner.ok<ChangedTask>("update_maintenance_task", { task_id: task, state, ...fields });
  const setAsset = (asset: string, state: string) =>
    owner.ok("update_asset_state", { asset_id: asset, state });

  async function read(asset: string): Promise<Asset> {
    const answer = await owner.ok<{ asset: Asset }>("get_asset", { asset_id: asset });
    return answer.asset;
  }

  const remembered = async (task: string) => {
    const row = await testApp().db.maybe<{ asset_state_before: string | null }>(
      "SELECT asset_state_before FROM maintenance_tasks WHERE id = $1",
      [task],
    );
    return row?.asset_state_before;
  };

  test("puts the asset into maintenance from start to end, as system events", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);

    const started = await setTask(task, "in_progress");
    const held = await setTask(task, "on_hold");
    const resumed = await setTask(task, "in_progress");
    const completed = await setTask(task, "completed");

    expect(started.asset_state).toBe("in_maintenance");
    expect([held, resumed].map((answer) => "asset_state" in answer)).toEqual([false, false]);
    expect(completed.asset_state).toBe("in_use");
    expect(await read(asset)).toMatchObject({ state: "in_use", version: 3 });
    expect(await remembered(task)).toBeNull();
    const events = await testApp().db.query<Json>(
      `SELECT source, task_id, changes FROM history_events
       WHERE asset_id = $1 AND type = 'asset_state_changed' ORDER BY sequence`,
      [asset],
    );
    expect(events).toEqual([
      {
        source: "system",
        task_id: task,
        changes: [{ field: "state", from: "in_use", to: "in_maintenance" }],
      },
      {
        source: "system",
        task_id: task,
        changes: [{ field: "state", from: "in_maintenance", to: "in_use" }],
      },
    ]);
  });

  test.each([
    ["corrective", "unplanned"],
    ["preventive", "planned"],
  ])("counts %s work as %s downtime", async (type, kind) => {
    const asset = await anAsset();
    const task = await aTask(asset, { type });

    await setTask(task, "in_progress");

    const periods = await testApp().db.query<Json>(
      "SELECT downtime_kind, task_id FROM asset_state_periods WHERE asset_id = $1 AND ended_at IS NULL",
      [asset],
    );
    expect(periods).toEqual([{ downtime_kind: kind, task_id: task }]);
  });

  test.each(["completed", "cancelled", "scheduled"])(
    "restores the asset's state when the task becomes %s",
    async (state) => {
      const asset = await anAsset("stored");
      const task = await aTask(asset);
      await setTask(task, "in_progress");

      const answer = await setTask(task, state);

      expect(answer.asset_state).toBe("stored");
      expect((await read(asset)).state).toBe("stored");
    },
  );

  test("restores the asset's state after a held task", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);
    await setTask(task, "in_progress");
    await setTask(task, "on_hold");

    expect((await setTask(task, "cancelled")).asset_state).toBe("in_use");
  });

  test("leaves the asset's state unchanged for other tasks", async () => {
    const asset = await anAsset();
    const task = await aTask(asset, { requires_downtime: false });

    const answers = [await setTask(task, "in_progress"), await setTask(task, "completed")];
    const unstarted = await setTask(await aTask(asset), "completed");

    for (const answer of [...answers, unstarted]) expect(answer).not.toHaveProperty("asset_state");
    expect(await read(asset)).toMatchObject({ state: "in_use", version: 1 });
  });

  test("keeps an asset in maintenance that was already in maintenance", async () => {
    const asset = await anAsset("in_maintenance");
    const task = await aTask(asset);

    await setTask(task, "in_progress");
    const answer = await setTask(task, "completed");

    expect(answer).not.toHaveProperty("asset_state");
    expect(await read(asset)).toMatchObject({ state: "in_maintenance", version: 1 });
  });

  test("keeps a state that was changed in between", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);
    await setTask(task, "in_progress");
    await setAsset(asset, "out_of_service");

    const answer = await setTask(task, "completed");

    expect(answer).not.toHaveProperty("asset_state");
    expect((await read(asset)).state).toBe("out_of_service");
    expect(await remembered(task)).toBeNull();
  });

  test("a resumed task starts maintenance again and restores the later state", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);
    await setTask(task, "in_progress");
    await setTask(task, "on_hold");
    await setAsset(asset, "available");

    const resumed = await setTask(task, "in_progress");
    const completed = await setTask(task, "completed");

    expect(resumed.asset_state).toBe("in_maintenance");
    expect(completed.asset_state).toBe("available");
  });

  test("the last of several tasks restores the asset's state", async () => {
    const asset = await anAsset();
    const [first, second, third] = [await aTask(asset), await aTask(asset), await aTask(asset)];
    for (const task of [first, second, third]) await setTask(task, "in_progress");
    await setTask(second, "on_hold");

    const answers = [await setTask(first, "completed"), await setTask(second, "cancelled")];
    const [between, last] = [await read(asset), await setTask(third, "completed")];

    for (const answer of answers) expect(answer).not.toHaveProperty("asset_state");
    expect(between.state).toBe("in_maintenance");
    expect(last.asset_state).toBe("in_use");
  });

  test("a held task that never started doesn't keep the asset in maintenance", async () => {
    const asset = await anAsset();
    const [running, waiting] = [await aTask(asset), await aTask(asset)];
    await setTask(waiting, "on_hold");
    await setTask(running, "in_progress");

    expect((await setTask(running, "completed")).asset_state).toBe("in_use");
  });

  test("requires_downtime applies when set with the start, and otherwise from the next start", async () => {
    const asset = await anAsset();
    const [now, later] = [
      await aTask(asset, { requires_downtime: false }),
      await aTask(asset, { requires_downtime: false }),
    ];
    await setTask(later, "in_progress");

    const flagged = await setTask(later, "in_progress", { requires_downtime: true });
    const started = await setTask(now, "in_progress", { requires_downtime: true });

    expect(flagged).not.toHaveProperty("asset_state");
    expect(flagged.warnings).toEqual([
      "The work has already started, so the asset keeps its state. requires_downtime applies from the next start.",
    ]);
    expect(started.asset_state).toBe("in_maintenance");
  });

  test("restores the asset's state even if requires_downtime is removed", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);
    await setTask(task, "in_progress");

    const answer = await setTask(task, "completed", { requires_downtime: false });

    expect(answer.asset_state).toBe("in_use");
  });

  test("a reopened task starts maintenance again", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);
    await setTask(task, "completed");

    expect((await setTask(task, "in_progress")).asset_state).toBe("in_maintenance");
  });

  test("a task completed late ends maintenance in the past, never before its start", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);
    await setTask(task, "in_progress");

    await setTask(task, "completed", { completed_at: `${daysFromNow(-2)}T08:00:00Z` });

    const periods = await testApp().db.query<{ state: string; backwards: boolean }>(
      `SELECT state, coalesce(ended_at < started_at, false) AS backwards
       FROM asset_state_periods WHERE asset_id = $1 ORDER BY id`,
      [asset],
    );
    expect(periods.map(({ state }) => state)).toEqual(["in_use", "in_maintenance", "in_use"]);
    expect(periods.some(({ backwards }) => backwards)).toBe(false);
  });

  test("a dry run doesn't change the asset", async () => {
    const asset = await anAsset();
    const task = await aTask(asset);

    const tried = await setTask(task, "in_progress", { dry_run: true });

    expect(tried.asset_state).toBe("in_maintenance");
    expect(await read(asset)).toMatchObject({ state: "in_use", version: 1 });
  });
});

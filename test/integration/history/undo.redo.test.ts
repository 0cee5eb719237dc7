// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import type { Json } from "../../support/mcp.js";
import { daysFromNow } from "../../support/tasks.js";
import { useUndo } from "../../support/undo-scene.js";

const current = useApp();
const {
  start,
  addAsset,
  addTask,
  change,
  setState,
  count,
  undo,
  redo,
  toldBy,
  taskOf,
  assetOf,
  read,
} = useUndo(current);

describe("redo", () => {
  test("restores the recurrence of completed work and its next occurrence", async () => {
    const scene = await start();
    const first = await addTask(scene.app, {
      ...{ asset_id: await addAsset(scene.person), due_date: daysFromNow(5), completed: {} },
      recurrence: { every: 1, unit: "month" },
    });
    const plan = (await taskOf(first))?.["plan_id"];
    const set = await undo(scene);
    await redo(scene, set);

    const tasks = await current().db.query<Json>(
      "SELECT state, plan_id, occurrence FROM maintenance_tasks WHERE plan_id = $1 ORDER BY occurrence",
      [plan],
    );
    expect(tasks).toEqual([
      { state: "completed", plan_id: plan, occurrence: 1 },
      { state: "scheduled", plan_id: plan, occurrence: 2 },
    ]);
    expect(await read(scene.person, first)).toMatchObject({ repeats: "every month" });
  });

  test("doesn't restore an occurrence that another one replaced meanwhile", async () => {
    const scene = await start();
    const recurrence = { every: 1, unit: "month" };
    const first = await addTask(scene.person, {
      ...{ asset_id: await addAsset(scene.person), due_date: daysFromNow(5), recurrence },
    });
    const plan = (await taskOf(first))?.["plan_id"];
    await change(scene.app, first, { state: "completed" });
    const set = await undo(scene);
    await change(scene.person, first, { state: "completed" });
    await redo(scene, set);

    const open = await current().db.query<Json>(
      `SELECT occurrence FROM maintenance_tasks WHERE state = 'scheduled'
         AND asset_id = (SELECT asset_id FROM maintenance_tasks WHERE id = $1)`,
      [first],
    );
    expect(open).toEqual([{ occurrence: 2 }]);
    expect(await taskOf(first)).toMatchObject({ state: "completed", plan_id: plan });
  });

  test("doesn't restore the completion of a replaced occurrence", async () => {
    const scene = await start();
    const first = await addTask(scene.person, {
      ...{ asset_id: await addAsset(scene.person), due_date: daysFromNow(5) },
      recurrence: { every: 1, unit: "month" },
    });
    await change(scene.app, first, { state: "completed" });
    const [next] = await current().db.query<{ id: string }>(
      "SELECT id FROM maintenance_tasks WHERE plan_id = $1 AND occurrence = 2",
      [(await taskOf(first))?.["plan_id"]],
    );
    await change(scene.app, String(next?.id), { state: "completed" });
    const set = await undo(scene);
    await change(scene.person, first, { state: "completed" });
    const again = await redo(scene, set);

    expect((await toldBy(again)).map(([, key]) => key)).not.toContain("undo_refused");
    expect(await taskOf(String(next?.id))).toMatchObject({
      ...{ state: "cancelled", completed_at: null, plan_id: null },
    });
  });

  test("restores a recurrence whose plan the undo removed", async () => {
    const scene = await start();
    const task = await addTask(scene.person, {
      ...{ asset_id: await addAsset(scene.person), due_date: "2099-01-31" },
    });
    await change(scene.app, task, { recurrence: { every: 1, unit: "month" } });
    const set = await undo(scene);
    const plans = () =>
      current().db.query("SELECT FROM maintenance_plans WHERE organization_id = $1", [
        scene.member.organizationId,
      ]);
    expect(await plans()).toHaveLength(0);

    await redo(scene, set);

    const done = await change(scene.person, task, { state: "completed" });
    expect(done.next_task).toMatchObject({ due_date: "2099-02-28" });
    expect(await plans()).toHaveLength(1);
  });

  test("restores an asset's return state and its kind of downtime", async () => {
    const scene = await start();
    const asset_id = await addAsset(scene.person);
    await setState(scene.person, asset_id, { state: "in_use" });
    const task = await addTask(scene.person, {
      ...{ asset_id, requires_downtime: true, type: "corrective" },
    });
    await change(scene.app, task, { state: "in_progress" });
    await redo(scene, await undo(scene));

    const period = await current().db.maybe<Json>(
      "SELECT state, downtime_kind, task_id FROM asset_state_periods WHERE asset_id = $1 AND ended_at IS NULL",
      [asset_id],
    );
    expect(period).toEqual({ state: "in_maintenance", downtime_kind: "unplanned", task_id: task });
    await change(scene.person, task, { state: "completed" });
    expect(await assetOf(asset_id)).toMatchObject({ state: "in_use" });
  });

  test("restores the start time of work on hold, even if on hold before", async () => {
    const scene = await start();
    const asset_id = await addAsset(scene.person);
    const task = await addTask(scene.person, { asset_id, requires_downtime: true });
    await change(scene.person, task, { state: "on_hold" });
    for (const state of ["in_progress", "on_hold"]) await change(scene.app, task, { state });
    const begun = await taskOf(task);
    const set = await undo(scene);

    expect(await taskOf(task)).toMatchObject({ started_at: null, asset_state_before: null });
    await redo(scene, set);
    const { started_at, asset_state_before } = begun ?? {};
    expect(await taskOf(task)).toMatchObject({ started_at, asset_state_before });
  });

  test("restores the start of work on an asset that the redo also restores", async () => {
    const scene = await start();
    const task = await addTask(scene.person, {
      ...{ asset_id: await addAsset(scene.person), requires_downtime: true },
    });
    await change(scene.app, task, { asset_id: await addAsset(scene.app) });
    await change(scene.app, task, { state: "in_progress" });
    const begun = await taskOf(task);
    const set = await undo(scene);
    await redo(scene, set);

    const { asset_state_before } = begun ?? {};
    expect(asset_state_before).toBe("available");
    expect(await taskOf(task)).toMatchObject({ state: "in_progress", asset_state_before });
  });

  test("restores the target of a duplicate", async () => {
    const scene = await start();
    const [lost, kept] = [await addAsset(scene.person), await addAsset(scene.person)];
    await setState(scene.app, lost, { state: "deleted", merged_into: kept });
    await redo(scene, await undo(scene));

    expect(await assetOf(lost)).toMatchObject({ state: "deleted", merged_into_asset_id: kept });
  });

  test("doesn't restore a cycle of duplicates", async () => {
    const scene = await start();
    const [lost, kept] = [await addAsset(scene.person), await addAsset(scene.person)];
    await setState(scene.app, lost, { state: "deleted", merged_into: kept });
    const set = await undo(scene);
    await setState(scene.person, kept, { state: "deleted", merged_into: lost });

    const told = await toldBy(await redo(scene, set));

    expect(told).toContainEqual(["merged_into", "merged_into_retired"]);
    expect(await assetOf(lost)).toMatchObject({ merged_into_asset_id: null });
  });

  test("undoing a restoration restores the state before retirement", async () => {
    const scene = await start();
    const asset_id = await addAsset(scene.person);
    await setState(scene.person, asset_id, { state: "in_use" });
    await setState(scene.person, asset_id, { state: "deleted", reason: "sold" });
    await setState(scene.app, asset_id, { state: "available" });
    await undo(scene);

    expect(await assetOf(asset_id)).toMatchObject({
      ...{ state: "deleted", deletion_reason: "sold", state_before_deletion: "in_use" },
    });
  });

  test("restores the due usage of work, with its meter on the former asset", async () => {
    const scene = await start();
    const [first, second] = [await addAsset(scene.person), await addAsset(scene.person)];
    await count(scene.person, first, 100);
    await count(scene.person, second, 7000);
    const recurrence = { every_usage: 50, due_usage: 180 };
    const task = await addTask(scene.person, { asset_id: first, recurrence });
    await change(scene.app, task, { asset_id: second });
    await change(scene.app, task, { recurrence: { every_usage: 50, due_usage: 9000 } });
    const moved = await read(scene.person, task);
    const set = await undo(scene);

    expect(await read(scene.person, task)).toMatchObject({ due_usage: "180 km, now 100 km" });
    await redo(scene, set);
    expect(moved).toMatchObject({ due_usage: "9,000 km, now 7,000 km" });
    expect((await read(scene.person, task))["due_usage"]).toBe(moved["due_usage"]);
  });
});

describe("work and the meters of other assets:", () => {
  test("work stays when an undone merge leaves its meter behind", async () => {
    const scene = await start();
    const [lost, kept] = [await addAsset(scene.person), await addAsset(scene.person)];
    await count(scene.person, lost, 100);
    const recurrence = { every_usage: 50 };
    const task = await addTask(scene.person, { asset_id: lost, recurrence });
    await setState(scene.app, lost, { state: "deleted", merged_into: kept });
    const set = await undo(scene);

    expect(await toldBy(set)).toContainEqual(["asset_id", "meter_elsewhere"]);
    expect(await assetOf(lost)).toMatchObject({ state: "available" });
    expect(await taskOf(task)).toMatchObject({ asset_id: kept });
    const done = await change(scene.person, task, { state: "completed" });
    expect(done.next_task).toMatchObject({ due_usage: "200 km, now 100 km" });
  });

  test("work returns with its date recurrence and counts usage again after a redo", async () => {
    const scene = await start();
    const [lost, kept] = [await addAsset(scene.person), await addAsset(scene.person)];
    await count(scene.person, lost, 100);
    const recurrence = { every: 1, unit: "month", every_usage: 50 };
    const due_date = daysFromNow(50);
    const task = await addTask(scene.person, { asset_id: lost, due_date, recurrence });
    await setState(scene.app, lost, { state: "deleted", merged_into: kept });
    const set = await undo(scene);

    expect(await toldBy(set)).toContainEqual(["recurrence", "meter_elsewhere"]);
    expect(await taskOf(task)).toMatchObject({ asset_id: lost, due_usage: null });
    expect(await read(scene.person, task)).toMatchObject({ repeats: "every month" });
    await redo(scene, set);
    expect(await read(scene.person, task)).toMatchObject({
      ...{ repeats: "every month or every 50 km (Odometer)", due_usage: "150 km, now 100 km" },
    });
  });

  test("a usage recurrence doesn't return to work that someone moved", async () => {
    const scene = await start();
    const [first, second] = [await addAsset(scene.person), await addAsset(scene.person)];
    await count(scene.person, first, 100);
    const task = await addTask(scene.person, { asset_id: first, recurrence: { every_usage: 50 } });
    await change(scene.app, task, { clear_fields: ["recurrence"] });
    await change(scene.person, task, { asset_id: second });

    expect(await toldBy(await undo(scene))).toEqual([["recurrence", "meter_elsewhere"]]);
    expect(await read(scene.person, task)).not.toHaveProperty("repeats");
  });

  test("a usage recurrence returns to moved work when the other asset has the meter", async () => {
    const scene = await start();
    const [first, second] = [await addAsset(scene.person), await addAsset(scene.person)];
    await count(scene.person, first, 100);
    await count(scene.person, second, 700);
    const task = await addTask(scene.person, { asset_id: first, recurrence: { every_usage: 50 } });
    await change(scene.app, task, { clear_fields: ["recurrence"] });
    await change(scene.person, task, { asset_id: second });
    await undo(scene);
    await count(scene.person, second, 710);

    expect(await read(scene.person, task)).toMatchObject({ due_usage: "760 km, now 710 km" });
  });
});

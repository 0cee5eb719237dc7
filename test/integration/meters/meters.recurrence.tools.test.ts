import { describe, expect, test } from "vitest";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { useApp } from "../../support/app.js";
import { connect, type Json } from "../../support/mcp.js";
import { createReplay, daysAgo } from "../../support/replay.js";
import { daysFromNow, type ChangedTask, type CreatedTask } from "../../support/tasks.js";

interface Details {
  task: Json & { due_date?: string; repeats?: string; due_usage?: string; recurrence?: Json };
}

describe("tasks that repeat by usage", () => {
  const testApp = useApp();

  async function start(readings: Json = { km: 120_500 }) {
    const owner = await connect(testApp());
    const aVehicle = async (given: Json, name = "Truck") => {
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name });
      await owner.ok("update_asset", { asset_id: asset.id, meter_readings: given });
      return asset.id;
    };
    const asset = await aVehicle(readings);
    const aTask = async (recurrence: Json, fields: Json = {}) => {
      const created = await owner.ok<CreatedTask>("create_maintenance_task", {
        ...{ asset_id: asset, title: "Service", recurrence },
        ...fields,
      });
      return created.task.id;
    };
    const read = async (id: string | undefined) =>
      (await owner.ok<Details>("get_maintenance_task", { task_id: id })).task;
    const recordKm = (km: number, to = asset) =>
      owner.ok<{ warnings?: string[] }>("update_asset", {
        asset_id: to,
        meter_readings: { km },
      });
    const update = (id: string, fields: Json) =>
      owner.ok<ChangedTask>("update_maintenance_task", { task_id: id, ...fields });
    const replay = createReplay(testApp().db, owner.member);
    return { owner, asset, aVehicle, aTask, read, recordKm, update, replay };
  }

  const refusedFor = (owner: Awaited<ReturnType<typeof start>>["owner"], fields: Json) =>
    owner.refused("create_maintenance_task", { title: "Service", ...fields });

  test("usage alone sets a due usage relative to the current reading, without a date", async () => {
    const { aTask, read } = await start();

    const task = await read(await aTask({ every_usage: 10_000 }));

    expect(task).toMatchObject({
      repeats: "every 10,000 km (Odometer)",
      due_usage: "130,500 km, now 120,500 km",
      recurrence: { every_usage: 10_000, meter: "Odometer", meter_unit: "km", anchor: "due_date" },
    });
    expect(task).not.toHaveProperty("due_date");
  });

  test("a reading that reaches the due usage sets the due date, explained in history", async () => {
    const { owner, aTask, read, recordKm } = await start();
    const recurrence = { every: 6, unit: "month", every_usage: 10_000, due_usage: 125_000 };
    const id = await aTask(recurrence, { due_date: daysFromNow(90) });

    await recordKm(124_999);
    expect((await read(id)).due_date).toBe(daysFromNow(90));
    const reached = await recordKm(125_010);

    expect(reached.warnings).toEqual(["T-1 is due now: Odometer reached 125,000 km."]);
    const task = await read(id);
    expect(task).toMatchObject({
      due_date: daysFromNow(0),
      repeats: "every 6 months or every 10,000 km (Odometer)",
      due_usage: "125,000 km, now 125,010 km",
      version: 2,
    });
    const history = await owner.ok<{ events: Json[] }>("search_asset_history", { task_id: id });
    expect(history.events[0]).toMatchObject({
      type: "task_updated",
      source: "system",
      note: "Odometer reached 125,000 km.",
      changes: [{ field: "due_date", from: daysFromNow(90), to: daysFromNow(0) }],
    });
    expect((await recordKm(126_000)).warnings).toBeUndefined();
  });

  test("a lower correction restores due dates that only the wrong reading brought forward", async () => {
    const { owner, aTask, read, recordKm, update } = await start();
    const rule = { every: 6, unit: "month", every_usage: 10_000, due_usage: 125_000 };
    const id = await aTask(rule, { due_date: daysFromNow(90) });
    const dayless = await aTask({ every_usage: 1000 });
    const moved = await aTask({ every_usage: 1000 });
    const still = await aTask({ every_usage: 100 });
    await recordKm(1_205_500);
    await update(moved, { due_date: daysFromNow(1) });

    await recordKm(120_600);

    expect((await read(id)).due_date).toBe(daysFromNow(90));
    expect(await read(dayless)).not.toHaveProperty("due_date");
    expect((await read(moved)).due_date).toBe(daysFromNow(1));
    expect((await read(still)).due_date).toBe(daysFromNow(0));
    const history = await owner.ok<{ events: Json[] }>("search_asset_history", { task_id: id });
    expect(history.events[0]).toMatchObject({
      source: "system",
      changes: [{ field: "due_date", from: daysFromNow(0), to: daysFromNow(90) }],
    });
    expect((await recordKm(125_100)).warnings?.join()).toContain("T-1 is due now");
  });

  test("a task with an earlier due date keeps it", async () => {
    const { aTask, read, recordKm } = await start();
    const rule = { every: 1, unit: "week", every_usage: 100 };
    const id = await aTask(rule, { due_date: daysFromNow(-3) });
    await recordKm(120_700);
    expect(await read(id)).toMatchObject({ due_date: daysFromNow(-3), state: "overdue" });
  });

  test("from the due usage, the next task is due at the next step ahead", async () => {
    const { aTask, read, recordKm, update } = await start();
    const id = await aTask({ every_usage: 1000 });
    await recordKm(121_800);

    const { next_task: next } = await update(id, { state: "completed" });
    await recordKm(124_600);
    const later = await update(next?.id ?? "", { state: "completed" });

    expect(next).toMatchObject({ due_usage: "122,500 km, now 121,800 km" });
    expect(next).not.toHaveProperty("due_date");
    expect(later.next_task).toMatchObject({ due_usage: "125,500 km, now 124,600 km" });
    expect((await read(id)).due_usage).toBeUndefined();
  });

  test("from completion, the next task counts from the meter total at completion", async () => {
    const { asset, aTask, update, replay } = await start({ h: 10 });
    await replay(daysAgo(0), (tx, caller) =>
      updateAsset(tx, caller, asset, {
        meter_readings: [{ meter: "h", value: 4, readAt: daysAgo(5) }],
      }),
    );
    const rule = { every_usage: 250, anchor: "completion_date" };
    const [now, then] = [await aTask(rule), await aTask(rule)];

    const done = await update(now, { state: "completed" });
    const before = await update(then, {
      state: "completed",
      completed_at: daysAgo(4).toISOString(),
    });

    expect(done.next_task).toMatchObject({ due_usage: "260 h, now 10 h" });
    expect(before.next_task).toMatchObject({ due_usage: "254 h, now 10 h" });
  });

  test("by date and usage, the next task has both, and repetition ends by date", async () => {
    const { aTask, update } = await start();
    const rule = { every: 1, unit: "year", every_usage: 10_000, ends_on: daysFromNow(500) };
    const id = await aTask(rule, { due_date: daysFromNow(0) });

    const { next_task: next } = await update(id, { state: "completed" });
    const last = await update(next?.id ?? "", { state: "cancelled" });

    expect(next?.due_date.slice(5)).toBe(daysFromNow(0).slice(5));
    expect(next).toMatchObject({ due_usage: "140,500 km, now 120,500 km" });
    expect(last.next_task).toBeUndefined();
    expect(last.warnings?.[0]).toContain("That was the last occurrence");
  });

  test("a replaced meter keeps the remaining usage", async () => {
    const { asset, aTask, read, replay } = await start();
    const id = await aTask({ every_usage: 1000 });

    await replay(new Date(Date.now() + 1000), (tx, caller) =>
      updateAsset(tx, caller, asset, {
        meter_readings: [{ meter: "km", value: 0, isReplaced: true }],
      }),
    );
    expect((await read(id)).due_usage).toBe("1,000 km, now 0 km");
    await replay(new Date(Date.now() + 2000), (tx, caller) =>
      updateAsset(tx, caller, asset, { meter_readings: [{ meter: "km", value: 1000 }] }),
    );

    expect((await read(id)).due_date).toBe(daysFromNow(0));
  });

  test("the rule can be changed, kept and ended like any other", async () => {
    const { aTask, read, recordKm, update } = await start();
    const id = await aTask({ every_usage: 10_000 });
    await recordKm(121_000);

    await update(id, { recurrence: { every_usage: 10_000, anchor: "completion_date" } });
    expect((await read(id)).due_usage).toBe("130,500 km, now 121,000 km");
    const changed = await update(id, { recurrence: { every_usage: 5000, meter: "km" } });
    expect((await read(id)).due_usage).toBe("126,000 km, now 121,000 km");
    expect(changed.changed).toEqual([
      {
        field: "recurrence",
        from: "every 10,000 km (Odometer) after completion",
        to: "every 5,000 km (Odometer)",
      },
    ]);
    await update(id, {
      due_date: daysFromNow(9),
      recurrence: { every: 2, unit: "week" },
    });
    const task = await read(id);
    expect(task).toMatchObject({ repeats: "every 2 weeks", due_date: daysFromNow(9) });
    expect(task).not.toHaveProperty("due_usage");
    await update(id, { clear_fields: ["recurrence"] });
    expect((await read(id)).repeats).toBeUndefined();
  });

  test("rejects an incomplete rule", async () => {
    const { owner, asset, aVehicle } = await start({ km: 1, h: 2 });
    const none = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Ladder" });
    await owner.ok("create_workspace", { name: "Hall" });
    await aVehicle({ km: 1 });
    const on = (recurrence: Json, site: Json = { asset_id: asset }) =>
      refusedFor(owner, { ...site, recurrence }).then(({ message }) => message);

    expect(await on({ every_usage: 100 })).toContain("choose a meter: Hour meter, Odometer");
    expect(await on({ every_usage: 100, meter: "psi" })).toContain('no meter "psi"');
    expect(await on({ every_usage: 0, meter: "km" })).toContain("must be more than 0");
    expect(await on({ every_usage: 5, meter: "km", due_usage: 1 })).toContain(
      "the current reading of Odometer",
    );
    expect(await on({ meter: "km" })).toContain("missing");
    expect(await on({ every: 2 })).toContain("recurrence.unit is missing");
    expect(await on({ every_usage: 100 }, { asset_id: none.asset.id })).toContain("no meter yet");
    expect(await on({ every_usage: 100 }, { workspace_id: "Hall" })).toContain(
      "can't have a meter",
    );
  });

  test("moving a task requires and uses the other asset's meter with the same name", async () => {
    const { owner, aVehicle, aTask, read } = await start();
    const other = await aVehicle({ km: 500 }, "Van");
    const bare = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Trailer" });
    const id = await aTask({ every_usage: 1000 });

    const refused = await owner.refused("update_maintenance_task", {
      task_id: id,
      asset_id: bare.asset.id,
    });
    await owner.ok("update_maintenance_task", { task_id: id, asset_id: other });

    expect(refused.message).toContain(`the meter "Odometer", which the other asset doesn't have`);
    expect((await read(id)).due_usage).toBe("1,500 km, now 500 km");
  });

  test("nothing is due before the first reading; counting starts with that reading", async () => {
    const { asset, aTask, read, recordKm } = await start({ h: 1 });
    await testApp().db.query(
      `UPDATE meters SET name = 'Odometer', unit = 'km', value = NULL, read_at = NULL
       WHERE asset_id = $1`,
      [asset],
    );
    const id = await aTask({ every_usage: 1000 });
    expect(await read(id)).not.toHaveProperty("due_usage");

    await recordKm(80_000);

    expect((await read(id)).due_usage).toBe("81,000 km, now 80,000 km");
  });

  test("merging a duplicate moves its meters and their tasks to the remaining asset", async () => {
    const { owner, asset, aVehicle, aTask, read } = await start({ km: 1000, h: 50 });
    const kept = await aVehicle({ km: 900 }, "Truck 1");
    const [byHours, byKm] = [
      await aTask({ every_usage: 100, meter: "h" }),
      await aTask({ every_usage: 500, meter: "km" }, { title: "Oil" }),
    ];

    await owner.ok("update_asset_state", {
      ...{ asset_id: asset, state: "deleted", merged_into: kept },
    });

    const { meters } = await owner.ok<{ meters: Json[] }>("get_asset", { asset_id: kept });
    expect(meters.map(({ name, reading }) => [name, reading])).toEqual([
      ["Hour meter", 50],
      ["Odometer", 900],
    ]);
    expect(await read(byHours)).toMatchObject({ asset_id: kept, due_usage: "150 h, now 50 h" });
    expect((await read(byKm)).due_usage).toBe("1,400 km, now 900 km");
  });
});

import { expect, test } from "vitest";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { press } from "../../support/browser.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { createReplay } from "../../support/replay.js";
import { daysFromNow, type CreatedTask } from "../../support/tasks.js";

interface Read {
  asset: Json;
  meters: Json[];
}

const current = useApp();

async function ageHistory(organizationId: string): Promise<void> {
  await current().db.transaction(async (tx) => {
    await tx.query("SET LOCAL fettle.erase = 'on'");
    await tx.query(
      `UPDATE history_events SET recorded_at = recorded_at - interval '1 day'
       WHERE organization_id = $1`,
      [organizationId],
    );
  });
}

async function aTruck(every: object = { every: 1, unit: "month", every_usage: 50 }) {
  const owner = await connect(current());
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Truck" });
  const record = (km: number, by = owner) =>
    by.ok("update_asset", { asset_id: asset.id, meter_readings: { km } });
  await record(100);
  const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
    ...{ asset_id: asset.id, title: "Oil", due_date: daysFromNow(50), recurrence: every },
  });
  const read = async () => {
    const { asset: is, meters = [] } = await owner.ok<Partial<Read>>("get_asset", {
      asset_id: asset.id,
    });
    const found = await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: task.id });
    return { asset: is, meters, due: found.task["due_date"], usage: found.task["due_usage"] };
  };
  const browser = await signIn(current().app, owner.member);
  const undo = async () => {
    const page = await browser.get(`/settings/apps/${owner.connectionId}/undo?span=hour`);
    const answer = await press(browser, page, "Undo");
    return { page, set: String(answer.headers.location) };
  };
  const redo = async (set: string) => press(browser, await browser.get(set), "Redo");
  return { owner, asset: asset.id, task: task.id, record, read, undo, redo, browser };
}

test("undo takes readings back with their due dates, and redo records them again", async () => {
  const { owner, asset, read, undo, redo } = await aTruck();
  await ageHistory(owner.member.organizationId);
  await owner.ok("update_asset", {
    ...{ asset_id: asset, location: "Bay 1", meter_readings: { km: 160, h: 7 } },
  });
  const done = await read();
  expect(done.due).toBe(daysFromNow(0));

  const { page, set } = await undo();

  expect(page.body).toMatch(/160 km[^]*100 km/);
  const undone = await read();
  expect(undone.asset).not.toHaveProperty("location");
  expect(undone.meters).toMatchObject([{ name: "Odometer", reading: 100 }]);
  expect(undone).toMatchObject({ due: daysFromNow(50), usage: "150 km, now 100 km" });
  await redo(set);
  expect(await read()).toMatchObject({
    ...{ due: daysFromNow(0), usage: "150 km, now 160 km" },
    asset: { location: "Bay 1" },
    meters: [{ reading: 7 }, { reading: 160 }],
  });
});

test("undoing the first reading starts the count again", async () => {
  const { owner, asset, task, read, undo, redo } = await aTruck();
  await owner.ok("update_maintenance_task", { task_id: task, title: "Oil and filter" });
  const by = { every_usage: 20, meter: "h" };
  await ageHistory(owner.member.organizationId);
  await owner.ok("update_asset", { asset_id: asset, meter_readings: { h: 9000 } });
  const worker = await connect(current(), {
    organization: owner.member.organization,
    role: "admin",
  });
  await worker.ok("update_maintenance_task", { task_id: task, recurrence: by });
  expect((await read()).usage).toBe("9,020 h, now 9,000 h");

  const { set } = await undo();

  const undone = await read();
  expect(undone.usage).toBeUndefined();
  expect(undone.meters).toMatchObject([{ name: "Hour meter" }, { reading: 100 }]);
  await redo(set);
  expect((await read()).usage).toBe("9,020 h, now 9,000 h");
});

test("work stays due while another person's later reading makes it due", async () => {
  const { owner, record, read, undo } = await aTruck();
  const mia = await connect(current(), {
    organization: owner.member.organization,
    role: "admin",
  });
  await ageHistory(owner.member.organizationId);
  await record(160);
  await record(170, mia);

  await undo();

  expect(await read()).toMatchObject({
    ...{ due: daysFromNow(0), usage: "150 km, now 170 km" },
    meters: [{ reading: 170 }],
  });
});

test("undo says that a reading stays when the meter was replaced since", async () => {
  const { owner, asset, record, read, undo, browser } = await aTruck();
  await ageHistory(owner.member.organizationId);
  await record(160);
  const replay = createReplay(current().db, owner.member);
  await replay(new Date(Date.now() + 1000), (tx, caller) =>
    updateAsset(tx, caller, asset, {
      meter_readings: [{ meter: "km", value: 3, isReplaced: true }],
    }),
  );

  const { page, set } = await undo();

  expect(page.body).toContain("Odometer was replaced or moved since");
  expect((await browser.get(set)).body).toContain("Odometer was replaced or moved since");
  expect((await read()).meters).toMatchObject([{ reading: 3 }]);
});

test("undoing a repetition change restores the meter it used", async () => {
  const { owner, asset, task, read, undo } = await aTruck({ every_usage: 50 });
  await owner.ok("update_asset", { asset_id: asset, meter_readings: { h: 10 } });
  await ageHistory(owner.member.organizationId);
  const recurrence = { every_usage: 8, meter: "h" };
  await owner.ok("update_maintenance_task", { task_id: task, recurrence });

  await undo();

  expect((await read()).usage).toBe("150 km, now 100 km");
});

/**
 * A truck with work by meter, both visible to a member, and the hidden asset that it is merged
 * into.
 */
async function startMerge(ends_on?: string) {
  const owner = await connect(current());
  for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
  const { organization } = owner.member;
  const mia = await connect(current(), { organization, role: "member", workspace: "Lab" });
  const admin = await connect(current(), { organization, role: "admin" });
  const add = async (name: string, workspace_id: string) =>
    (await owner.ok<{ asset: { id: string } }>("create_asset", { name, workspace_id })).asset.id;
  const [truck, hidden] = [await add("Truck", "Lab"), await add("Reactor", "Vault")];
  await mia.ok("update_asset", { asset_id: truck, meter_readings: { km: 100 } });
  const { task } = await mia.ok<CreatedTask>("create_maintenance_task", {
    ...{ asset_id: truck, title: "Oil", due_date: daysFromNow(20) },
    recurrence: { every: 1, unit: "month", every_usage: 50, ...(ends_on && { ends_on }) },
  });
  const merge = () =>
    admin.ok("update_asset_state", { asset_id: truck, state: "deleted", merged_into: hidden });
  const count = () => owner.ok("update_asset", { asset_id: hidden, meter_readings: { km: 7777 } });
  return { owner, mia, admin, truck, hidden, task, merge, count };
}

const setState = (person: Connected, task_id: string, state: string) =>
  person.ok<{ next_task?: { id: string } }>("update_maintenance_task", { task_id, state });

test("TEN-13 a task restored by undoing a merge ignores the meter left behind", async () => {
  const { owner, mia, admin, hidden, task, merge, count } = await startMerge();
  await merge();
  const browser = await signIn(current().app, admin.member);
  const shown = await browser.get(`/settings/apps/${admin.connectionId}/undo?span=hour`);
  await press(browser, shown, "Undo");
  await count();

  const answers = [await setState(mia, task.id, "completed")];
  for (const task_id of [task.id, answers[0]?.next_task?.id])
    answers.push(await mia.ok("get_maintenance_task", { task_id }));

  expect(answers[2]).toMatchObject({ task: { repeats: "every month" } });
  expect(JSON.stringify(answers)).not.toMatch(/777|827|7,|Odometer/);
  const owners = await signIn(current().app, owner.member);
  const meter = await current().db.maybe<{ id: string }>(
    "SELECT id FROM meters WHERE asset_id = $1",
    [hidden],
  );
  const removal = await owners.get(`/assets/${hidden}/meters/${String(meter?.id)}/remove`);
  const removed = await press(owners, removal, "Remove meter");
  expect(removed.statusCode).toBe(303);
});

test("TEN-13 a task reopened on a restored asset ignores the meter left behind", async () => {
  const { owner, mia, truck, task, merge, count } = await startMerge(daysFromNow(25));
  await setState(mia, task.id, "completed");
  await merge();
  await count();
  await owner.ok("update_asset_state", { asset_id: truck, state: "available" });

  await setState(mia, task.id, "in_progress");

  const read = await mia.ok("get_maintenance_task", { task_id: task.id });
  expect(read).toMatchObject({ task: { state: "in_progress" } });
  expect(JSON.stringify(read)).not.toContain("7,777");
});

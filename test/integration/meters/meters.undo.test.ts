import { expect, test } from "vitest";
import { press } from "../../support/browser.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
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

test("undo restores fields and dates, and says that readings are kept", async () => {
  const owner = await connect(current());
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Truck" });
  await owner.ok("update_asset", { asset_id: asset.id, meter_readings: { km: 100 } });
  const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
    ...{ asset_id: asset.id, title: "Oil", due_date: daysFromNow(50) },
    recurrence: { every: 1, unit: "month", every_usage: 50 },
  });
  const dueDate = async () =>
    (await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: task.id })).task["due_date"];
  await ageHistory(owner.member.organizationId);
  await owner.ok("update_asset", {
    ...{ asset_id: asset.id, location: "Bay 1", meter_readings: { km: 160 } },
  });
  expect(await dueDate()).toBe(daysFromNow(0));
  const browser = await signIn(current().app, owner.member);

  const shown = await browser.get(`/settings/apps/${owner.connectionId}/undo?span=hour`);
  await press(browser, shown, "Undo");

  expect(shown.body).toContain("eters and readings can't be undone");
  const { asset: after, meters } = await owner.ok<Read>("get_asset", { asset_id: asset.id });
  expect(after).not.toHaveProperty("location");
  expect(meters[0]).toMatchObject({ reading: 160 });
  expect(await dueDate()).toBe(daysFromNow(50));
});

test("undoing a repetition change restores the meter it used", async () => {
  const owner = await connect(current());
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Truck" });
  await owner.ok("update_asset", { asset_id: asset.id, meter_readings: { km: 100, h: 10 } });
  const { task } = await owner.ok<CreatedTask>("create_maintenance_task", {
    ...{ asset_id: asset.id, title: "Oil", recurrence: { every_usage: 50, meter: "km" } },
  });
  await ageHistory(owner.member.organizationId);
  const recurrence = { every_usage: 8, meter: "h" };
  await owner.ok("update_maintenance_task", { task_id: task.id, recurrence });
  const browser = await signIn(current().app, owner.member);

  await press(
    browser,
    await browser.get(`/settings/apps/${owner.connectionId}/undo?span=hour`),
    "Undo",
  );

  const { task: after } = await owner.ok<{ task: Json }>("get_maintenance_task", {
    task_id: task.id,
  });
  expect(after).toMatchObject({
    repeats: "every 50 km (Odometer)",
    due_usage: "150 km, now 100 km",
  });
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

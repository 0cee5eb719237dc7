import { expect, test } from "vitest";
import { press } from "../support/browser.js";
import { useApp } from "../support/app.js";
import { connect, type Json } from "../support/mcp.js";
import { signIn } from "../support/oauth.js";
import { daysFromNow, type CreatedTask } from "../support/tasks.js";

interface Read {
  asset: Json;
  meters: Json[];
}

const current = useApp();

/** As if all of it had happened the day before. */
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

test("an undo takes back fields and days, and says that readings stay", async () => {
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

  expect(shown.body).toContain("eters and readings are not undone");
  const { asset: after, meters } = await owner.ok<Read>("get_asset", { asset_id: asset.id });
  expect(after).not.toHaveProperty("location");
  expect(meters[0]).toMatchObject({ reading: 160 });
  expect(await dueDate()).toBe(daysFromNow(50));
});

test("an undo of another repetition brings back the meter that it counted by", async () => {
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

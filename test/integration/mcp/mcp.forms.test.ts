import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { daysFromNow, type ChangedTask, type CreatedTask } from "../../support/tasks.js";

describe("lenient argument formats", () => {
  const testApp = useApp();
  let owner: Connected;
  let asset: string;

  beforeAll(async () => {
    owner = await connect(testApp());
    const { organizationId } = owner.member;
    await testApp().db.query(
      "UPDATE organizations SET time_zone = 'Pacific/Auckland' WHERE id = $1",
      [organizationId],
    );
    const made = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Pump",
      inventory_number: "P-1",
      tags: "Diesel, Roof",
      currency: "eur",
      criticality: "High",
      purchase_cost: "1249.90",
    });
    asset = made.asset.id;
  });

  const aTask = (fields: Json = {}) =>
    owner.ok<CreatedTask>("create_maintenance_task", { asset_id: asset, title: "Oil", ...fields });

  test("stores lenient values as intended", async () => {
    const { asset: stored } = await owner.ok<{ asset: Json }>("get_asset", { asset_id: "P-1" });

    expect(stored).toMatchObject({
      tags: ["diesel", "roof"],
      currency: "EUR",
      criticality: "high",
      purchase_cost: 1249.9,
    });
  });

  test("keeps a text with commas as one checklist step", async () => {
    const { task } = await aTask({ checklist: "Stop, then look" });

    const { task: stored } = await owner.ok<{ task: Json }>("get_maintenance_task", {
      task_id: `#${task.task_number.slice(2)}`,
    });

    expect(stored["checklist"]).toMatchObject([{ number: 1, label: "Stop, then look" }]);
  });

  test("creates codes for a comma-separated text", async () => {
    const { codes } = await owner.ok<{ codes: Json[] }>("generate_asset_qr_codes", {
      asset_ids: `P-1, ${asset}`,
      format: "SVG",
    });

    expect(codes).not.toEqual([]);
    expect(new Set(codes.map(({ asset_id }) => asset_id))).toEqual(new Set([asset]));
  });

  test("reads a date as its first moment in the organization's time zone", async () => {
    const { task } = await aTask();
    const day = daysFromNow(-3);

    await owner.ok<ChangedTask>("update_maintenance_task", {
      task_id: task.id,
      state: "Completed",
      completed_at: day,
    });

    const row = await testApp().db.maybe<{ at: Date; starts: Date }>(
      `SELECT completed_at AS at, $2::date::timestamp AT TIME ZONE 'Pacific/Auckland' AS starts
       FROM maintenance_tasks WHERE id = $1`,
      [task.id, day],
    );
    expect(row?.at).toEqual(row?.starts);
  });

  test("accepts today as a completion time and rejects the day after tomorrow", async () => {
    const { today } = await owner.ok<{ today: string }>("get_current_user");
    const later = new Date(Date.parse(today) + 2 * 86_400_000).toISOString().slice(0, 10);
    const complete = { task_id: (await aTask()).task.id, state: "completed" };

    const refusal = await owner.refused("update_maintenance_task", {
      ...complete,
      completed_at: later,
    });
    await owner.ok("update_maintenance_task", { ...complete, completed_at: today });

    expect(refusal.message).toBe("Validation failed: completed_at must not be in the future.");
  });

  test("updated_since accepts a date", async () => {
    const since = async (day: string) =>
      (await owner.ok<{ total_count: number }>("list_assets", { updated_since: day })).total_count;

    expect(await since(daysFromNow(-2))).toBe(1);
    expect(await since(daysFromNow(3))).toBe(0);
  });

  test("lists the settable states for an unknown task state", async () => {
    const { task } = await aTask();
    const state = async (given: string) =>
      (await owner.refused("update_maintenance_task", { task_id: task.id, state: given })).message;

    expect(await state("asleep")).toBe(
      'Validation failed: state "asleep" is not one of: scheduled, in_progress, on_hold, completed, cancelled.',
    );
    expect(await state("overdue")).toMatch(/^Not possible: "overdue" is computed from due_date\./);
  });

  test.each([
    ["2030-01-02", "2030-01-01"],
    ["2030-01-01T10:00:00Z", "2029-12-31"],
  ])("rejects a warranty from %s on and before %s", async (from, before) => {
    const refusal = await owner.refused("list_assets", {
      warranty_expires_from: from,
      warranty_expires_before: before,
    });

    expect(refusal).toMatchObject({
      code: "validation_failed",
      field: "warranty_expires_from",
      message: `Validation failed: warranty_expires_from ${from.slice(0, 10)} is after warranty_expires_before ${before}.`,
    });
  });
});

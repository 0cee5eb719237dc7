import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { shareTask } from "../../support/task-links.js";
import type { CreatedTask } from "../../support/tasks.js";

interface Found {
  events: Json[];
  total_count: number;
}

const search = (person: Connected, filters: Json) =>
  person.ok<Found>("search_asset_history", filters);

describe("event fields", () => {
  const testApp = useApp();
  let owner: Connected;
  let asset_id: string;
  let task: CreatedTask["task"];

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    const create = async (fields: Json) =>
      (await owner.ok<{ asset: { id: string } }>("create_asset", fields)).asset.id;
    const parent = await create({ name: "Plant" });
    asset_id = await create({ name: "Pump", workspace_id: "Lab" });
    const dates = ["warranty_expires_on", "in_service_date", "end_of_life_on"];
    const makes = ["description", "manufacturer", "model", "serial_number"];
    const texts = [...makes, "location", "supplier", "cost_center"];
    await owner.ok("update_asset", {
      asset_id,
      name: "Pump 1",
      workspace_id: "Yard",
      inventory_number: "P-1",
      category: "Pumps",
      parent_asset_id: parent,
      assigned_to_user_id: "me",
      criticality: "high",
      condition: "good",
      purchase_date: "2026-01-01",
      purchase_cost: 5,
      currency: "CHF",
      tags: ["wet"],
      ...Object.fromEntries(dates.map((field) => [field, "2027-01-01"])),
      ...Object.fromEntries(texts.map((field) => [field, "x"])),
    });
    ({ task } = await owner.ok<CreatedTask>("create_maintenance_task", {
      asset_id,
      title: "Look at it",
      checklist: ["Open", "Close"],
    }));
    await owner.ok("update_maintenance_task", {
      task_id: task.id,
      title: "Look after it",
      description: "x",
      type: "inspection",
      priority: "high",
      due_date: "2026-12-01",
      estimated_minutes: 5,
      requires_downtime: true,
      assigned_to_user_id: "me",
      recurrence: { every: 1, unit: "month" },
      checklist: ["Open", "Wash", "Close"],
      comment: "x",
    });
    await owner.ok("update_maintenance_task", {
      task_id: task.id,
      state: "completed",
      completion_notes: "x",
      actual_minutes: 5,
      downtime_minutes: 5,
      labor_cost: 1,
      parts_cost: 1,
      other_cost: 1,
      activity: "repair",
      failure_cause: "wear",
      checklist_done: [1],
    });
    const browser = await signIn(testApp().app, owner.member);
    const procedure = { name: "Oiling", "label-1": "Oil" };
    await browser.submitForm(await browser.get("/settings/procedures/new"), procedure);
    const page = await browser.get(`/assets/${asset_id}?scanned=1`);
    await browser.submitForm(page, {}, { action: `/assets/${asset_id}/seen` });
    const spare = await create({ name: "Spare" });
    await owner.ok("create_maintenance_task", { asset_id: spare, title: "Oil it" });
    await owner.ok("update_maintenance_task", { task_id: "T-3", procedure: "Oiling" });
    await owner.ok("update_asset_state", {
      asset_id: spare,
      state: "deleted",
      merged_into: parent,
    });
    await owner.ok("update_asset", { asset_id: parent, meter_readings: { km: 1 } });
    const { task: service } = await owner.ok<CreatedTask>("create_maintenance_task", {
      ...{ asset_id: parent, title: "Service", recurrence: { every_usage: 10 } },
    });
    const later = { every_usage: 10, due_usage: 50 };
    await owner.ok("update_maintenance_task", { task_id: service.id, recurrence: later });
    const add = await browser.get(`/assets/${parent}/meters/new`);
    await browser.submitForm(add, { name: "Clock", unit: "h" });
    const link = await shareTask(browser, service.id);
    const contractor = createBrowser(testApp().app);
    await contractor.submitForm(await contractor.get(link), { send: "done", note: "x" });
    const note = { field: "file", name: "note.txt", content: "x" };
    await browser.sendFiles(page, `/assets/${asset_id}/files`, [note]);
    await owner.ok("update_asset_state", { asset_id, state: "deleted", reason: "sold" });
  });

  test("searches every field a change can have", async () => {
    const rows = await testApp().db.query<{ field: string }>(
      `SELECT DISTINCT change ->> 'field' AS field
       FROM history_events e, jsonb_array_elements(e.changes) change
       WHERE e.organization_id = $1`,
      [owner.member.organizationId],
    );
    const refusal = await owner.refused("search_asset_history", { field: "nonsense" });
    const allowed = /Allowed: (.*)\.$/.exec(refusal.message)?.[1]?.split(", ") ?? [];

    const told = rows.map(({ field }) => field).filter((field) => field !== "meter: Odometer");
    expect(told.toSorted()).toEqual(allowed.toSorted());
    const { total_count } = await search(owner, { field: "purchase_cost" });
    expect(total_count).toBe(1);
  });

  test.each([
    ["cost", "purchase_cost"],
    ["assignee", "assigned_to"],
    ["workspace", "workspace_name"],
    ["status", "state"],
    ["Serial number", "serial_number"],
    ["notes", "completion_notes"],
    ["due", "due_date"],
  ])("rejects the unknown field %s and suggests %s", async (field, meant) => {
    const refusal = await owner.refused("search_asset_history", { field });

    expect(refusal).toMatchObject({ code: "validation_failed", field: "field" });
    expect(refusal.message).toContain(
      `Validation failed: field "${field}" is not a field that the history records. Did you mean ${meant}? Allowed: state, `,
    );
  });

  test("rejects a dissimilar field without a suggestion", async () => {
    const { message } = await owner.refused("search_asset_history", { field: "xyz" });

    expect(message).toMatch(/history records\. Allowed: /);
  });

  test("task events include number and title, in searches and with the asset", async () => {
    const expected = { task_id: task.id, task_number: "T-1", task_title: "Look after it" };
    const { events } = await search(owner, { event_types: ["task_completed"] });
    const asset = await owner.ok<{ recent_history: Json[] }>("get_asset", { asset_id });
    const ofTask = asset.recent_history.filter(({ type }) => type === "task_completed");

    expect(events).toMatchObject([expected]);
    expect(ofTask).toMatchObject([expected]);
    const [created] = (await search(owner, { event_types: ["asset_created"] })).events;
    for (const field of ["task_number", "task_title"]) expect(created).not.toHaveProperty(field);
  });
});

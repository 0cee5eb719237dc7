import { describe, expect, test } from "vitest";
import { ArgumentError } from "../../server/src/mcp/mistakes.js";
import type { Mistake } from "../../server/src/mcp/mistakes.js";
import { normalizeArguments } from "../../server/src/mcp/normalize.js";
import { registeredTools } from "../../server/src/mcp/registry.js";
import { validateArguments } from "../../server/src/mcp/validate.js";

/** Validates a tool's arguments and returns its errors. */
function check(name: string, given: Record<string, unknown>): unknown {
  const registered = registeredTools.get(name);
  if (registered === undefined) throw new Error(`no tool ${name}`);
  const { inputSchema, tool } = registered;
  try {
    const unknown: Mistake[] = [];
    const normalized = normalizeArguments(inputSchema, given, "UTC", tool, unknown);
    return validateArguments(registered, normalized, { today: "2026-11-28", unknown });
  } catch (error) {
    if (error instanceof ArgumentError) return error.message.replace("Validation failed: ", "");
    throw error;
  }
}

const ofAsset = (fields: Record<string, unknown>) =>
  check("create_asset", { name: "A", ...fields });
const ofTask = (fields: Record<string, unknown>) =>
  check("update_maintenance_task", { task_id: "T-1", ...fields });

describe("arguments accepted in a similar form", () => {
  test.each([
    [{ currency: "eur" }, { currency: "EUR" }],
    [{ criticality: "High" }, { criticality: "high" }],
    [{ state: "in use" }, { state: "in_use" }],
    [{ tags: "Diesel, rooftop" }, { tags: ["Diesel", "rooftop"] }],
    [{ purchase_cost: "1249.90" }, { purchase_cost: 1249.9 }],
  ])("create_asset %j", (given, expected) => {
    expect(ofAsset(given)).toMatchObject(expected);
  });

  test("generate_asset_qr_codes", () => {
    const given = { asset_ids: "N-1, N-2", format: "PDF sheet", label_template: "Avery L7160" };
    const fields = { label_fields: "Name, Inventory number" };

    expect(check("generate_asset_qr_codes", { ...given, ...fields })).toEqual({
      asset_ids: ["N-1", "N-2"],
      format: "pdf_sheet",
      label_template: "avery_l7160",
      label_fields: ["name", "inventory_number"],
    });
  });

  test("tasks", () => {
    const recurrence = '{"every": 3, "unit": "Month"}';

    expect(ofTask({ checklist_done: "1,3", state: "In Progress", recurrence })).toMatchObject({
      checklist_done: [1, 3],
      state: "in_progress",
      recurrence: { every: 3, unit: "month", anchor: "due_date" },
    });
    expect(check("create_maintenance_task", { title: "A", checklist: "Stop, look" })).toMatchObject(
      { checklist: [{ label: "Stop, look" }] },
    );
  });
});

describe("numbers as text", () => {
  test.each([
    ["1.200", '"1.200" is ambiguous. Write 1200 or 1.2.'],
    ["1,200", '"1,200" is ambiguous. Write 1200 or 1.2.'],
    ["1.200.000", "Use 1200000, without unit or thousands separator."],
    ["1,200,000", "Use 1200000, without unit or thousands separator."],
    ["1.249,90", '"1.249,90" is not a number. Use 1249.90, without unit or thousands separator.'],
    ["1,249.90", "Use 1249.90, without unit or thousands separator."],
    ["1'249.90", "Use 1249.90, without unit or thousands separator."],
    ["1 249,90 €", "Use 1249.90, without unit or thousands separator."],
    ["80,00", "Use 80.00, without unit or thousands separator."],
    ["80 EUR", "Use 80, without unit or thousands separator."],
    ["$80", "Use 80, without unit or thousands separator."],
    ["0,5", "Use 0.5, without unit or thousands separator."],
    ["80 pieces", 'must be a number without a unit, not "80 pieces".'],
    ["1e9", 'must be a number, not "1e9".'],
    ["21.11.2026", 'must be a number, not "21.11.2026".'],
    ["1.2,3.4", 'must be a number, not "1.2,3.4".'],
    ["1,2345,67", 'must be a number, not "1,2345,67".'],
    ["many", 'must be a number, not "many".'],
    ["1,".repeat(100), "must be a number, not"],
  ])("rejects %s: %s", (cost, expected) => {
    const message = ofAsset({ purchase_cost: cost });

    expect(message).toMatch(/^purchase_cost /);
    expect(message).toContain(expected);
  });

  test.each([
    ["1.000", '"1.000" is ambiguous. Write 1000 or 1.'],
    ["1.200", '"1.200" is not a whole number. Use 1200, without unit or thousands separator.'],
    ["80,00", "Use 80, without unit or thousands separator."],
    ["80,50", 'must be a whole number, not "80,50".'],
    ["2 h", 'must be a whole number without a unit, not "2 h".'],
    ["90 MIN", 'must be a whole number without a unit, not "90 MIN".'],
  ])("rejects %s minutes: %s", (minutes, expected) => {
    const message = ofTask({ actual_minutes: minutes });

    expect(message).toMatch(/^actual_minutes /);
    expect(message).toContain(expected);
  });
});

const wrong: Record<number, object> = {
  ...{ 3: { condition: "fine" }, 7: { condition: "fine" }, 12: { condition: "fine" } },
  ...{ 4: { serial: "S-1" }, 21: { serial: "S-2" }, 5: { purchase_cost: "1.249" } },
};
const rowParameters = Object.keys(
  registeredTools.get("create_asset")?.inputSchema.properties?.["assets"]?.items?.properties ?? {},
).join(", ");

describe("refusals", () => {
  test.each([
    [
      "create_asset",
      { name: "A", currency: "euro" },
      /^currency "euro" is not an ISO 4217 code of/,
    ],
    ["create_asset", { name: "A", currency: "€" }, /three letters, e\.g\. EUR\.$/],
    ["update_asset_state", { asset_id: "N", state: "broken" }, /stored, deleted\.$/],
    ["update_asset_state", { asset_id: "N", state: "delete" }, /deleted\. Did you mean deleted\?$/],
    [
      "get_organization_stats",
      { period_days: 7 },
      /^period_days "7" is not one of: 30, 90, 365\. For other spans/,
    ],
    ["generate_asset_qr_codes", { asset_ids: [] }, /^asset_ids must have at least 1 entry\.$/],
    [
      "update_asset_state",
      { asset_id: "N", state: ["stored"] },
      /^state must be one of: .* a list\.$/,
    ],
    [
      "create_asset",
      { name: "A", tags: [{ a: 1 }] },
      /^tags\[0\] must be a string, not an object\.$/,
    ],
    ["list_assets", { updated_since: "2026-02-30" }, /^updated_since "2026-02-30" is not a time\./],
    [
      "force_delete_asset",
      { asset_id: "N-1" },
      /^asset_id must be the id from get_asset, starting with ast_/,
    ],
    [
      "create_maintenance_task",
      { priority: "hihg", type: "corective" },
      /^title is missing\. type .* Did you mean corrective\? priority .*urgent\./,
    ],
  ])("%s %j", (tool, given, expected) => {
    expect(check(tool, given)).toMatch(expected);
  });

  test.each([
    ["create_maintenance_task", { title: "A", state: "completed" }, "give completed: {}."],
    ["create_maintenance_task", { title: "A", labor_cost: 5 }, 'completed: {"labor_cost": …}'],
    [
      "create_maintenance_task",
      { title: "A", checklist: "Check oil\nCheck belt" },
      '["Check oil", "Check belt"]',
    ],
    [
      "update_asset",
      { meter_readings: [1] },
      'must be an object such as {"km": 120500}, not a list.',
    ],
    ["update_asset", { asset_id: ["A", "B"] }, "not a list. For several use asset_ids."],
    ["get_asset", { asset_id: ["A", "B"] }, "not a list. Make one call for each."],
    [
      "update_maintenance_task",
      { recurrence: { every: 1, unit: "Quarter" } },
      '"Quarter" is not supported. Use every 3, unit "month".',
    ],
    [
      "update_maintenance_task",
      { due_date: "2027-02-31" },
      "is not a date. February 2027 has 28 days.",
    ],
    [
      "update_maintenance_task",
      { due_date: "next Friday" },
      "Use YYYY-MM-DD. Today is Saturday 2026-11-28.",
    ],
    ["search_asset_history", { from: "last week" }, "Today is Saturday 2026-11-28."],
    [
      "get_organization_stats",
      { period_days: 180 },
      'use from and to with group_by, e.g. "month".',
    ],
    [
      "get_organization_stats",
      { group_by: "quarter" },
      'Use group_by "month" and add up three rows.',
    ],
    ["get_organization_stats", { group_by: "asset" }, "see top_cost_assets"],
    [
      "list_maintenance_tasks",
      { category: "Vans" },
      "Use query, which also finds the name and category of the asset",
    ],
  ])("%s %j suggests the next step", (tool, given, expected) => {
    expect(check(tool, given)).toContain(expected);
  });

  test("explains a misplaced weekday without listing all 35 values", () => {
    const message = ofTask({ recurrence: { every: 1, unit: "week", on_weekday: "Monday" } });
    expect(message).toContain("With unit week, leave it out");
    expect(String(message).length).toBeLessThan(250);
  });

  test("names all wrong rows of a batch and groups equal errors", () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({ name: `A ${at}`, ...wrong[at] }));
    expect(check("create_asset", { assets: rows })).toBe(
      [
        'unknown parameter "assets[4, 21].serial". Did you mean serial_number?',
        `Allowed: ${rowParameters}.`,
        'assets[3, 7, 12].condition "fine" is not one of: excellent, good, fair, poor, failed.',
        'assets[5].purchase_cost "1.249" is ambiguous. Write 1249 or 1.249.',
      ].join(" "),
    );
  });

  test("suggests only listed values, even if another one is accepted", () => {
    expect(ofTask({ state: "overdu" })).toBe(
      'state "overdu" is not one of: scheduled, in_progress, on_hold, completed, cancelled.',
    );
    expect(ofTask({ state: "overdue" })).toMatchObject({ state: "overdue" });
  });

  test("rejects overlong text by its length", () => {
    const events = (list: unknown) => check("search_asset_history", { event_types: list });

    expect(events("x,".repeat(5000))).toBe("event_types must have at most 10 entries.");
    expect(events(Array(5000).fill("x"))).toBe("event_types must have at most 10 entries.");
    expect(ofTask({ labor_cost: "1".repeat(400) })).toMatch(/^labor_cost must be a number, not "1/);
  });

  test("rejects deeply nested text like any other value", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);

    expect(ofAsset({ tags: deep })).toBe("tags[0] must be a string, not a list.");
  });
});

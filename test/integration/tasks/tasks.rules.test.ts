import { beforeAll, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { daysFromNow, type ChangedTask, type CreatedTask } from "../../support/tasks.js";

/**
 * Work that is due on this day, at 150 km if it repeats by usage, and completed today at 100 km.
 */
const due_date = "2099-01-31";

interface Kind {
  rule?: Record<string, string | number>;
  /** The next occurrence, if there is one. */
  next?: { due_date?: string; due_usage?: string };
}

const kinds: Record<string, Kind> = {
  none: {},
  day: { rule: { every: 10, unit: "day" }, next: { due_date: "2099-02-10" } },
  week: { rule: { every: 2, unit: "week" }, next: { due_date: "2099-02-14" } },
  month: { rule: { every: 1, unit: "month" }, next: { due_date: "2099-02-28" } },
  "weekday of a month": {
    rule: { every: 2, unit: "month", on_weekday: "last saturday" },
    next: { due_date: "2099-03-28" },
  },
  year: { rule: { every: 1, unit: "year" }, next: { due_date: "2100-01-31" } },
  "weekday of a year": {
    rule: { every: 1, unit: "year", on_weekday: "last saturday" },
    next: { due_date: "2100-01-30" },
  },
  "days after completion": {
    rule: { every: 7, unit: "day", anchor: "completion_date" },
    next: { due_date: daysFromNow(7) },
  },
  "month with an end": { rule: { every: 1, unit: "month", ends_on: "2099-02-15" } },
  usage: { rule: { every_usage: 50, meter: "Odometer" }, next: { due_usage: "200 km" } },
  "usage after completion": {
    rule: { every_usage: 70, meter: "Odometer", anchor: "completion_date" },
    next: { due_usage: "170 km" },
  },
  "month and usage": {
    rule: { every: 1, unit: "month", every_usage: 50, meter: "Odometer" },
    next: { due_date: "2099-02-28", due_usage: "200 km" },
  },
  "year and usage": {
    rule: { every: 1, unit: "year", every_usage: 50, meter: "Odometer", ends_on: "2120-01-01" },
    next: { due_date: "2100-01-31", due_usage: "200 km" },
  },
};
const names = Object.keys(kinds);

const current = useApp();
let owner: Connected;
let browser: TestBrowser;
let asset_id: string;

beforeAll(async () => {
  owner = await connect(current());
  browser = await signIn(current().app, owner.member);
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Truck" });
  asset_id = asset.id;
  await owner.ok("update_asset", { asset_id, meter_readings: { km: 100 } });
});

async function addTask({ rule: recurrence }: Kind): Promise<string> {
  const rule = recurrence && { recurrence };
  const work = { asset_id, title: "Check", type: "inspection", due_date, ...rule };
  return (await owner.ok<CreatedTask>("create_maintenance_task", work)).task.id;
}

async function changeByTool(task_id: string, { rule }: Kind): Promise<void> {
  const recurrence = rule === undefined ? { clear_fields: ["recurrence"] } : { recurrence: rule };
  await owner.ok("update_maintenance_task", { task_id, ...recurrence });
}

async function changeOnPage(task_id: string, { rule }: Kind): Promise<void> {
  const page = await browser.get(`/tasks/${task_id}/edit`);
  const saved = await browser.submitForm(page, {
    ...{ title: "Check", type: "inspection", priority: "medium", due_date },
    ...{ every: "", unit: "month", anchor: "due_date", on_weekday: "", ends_on: "" },
    ...{ every_usage: "", meter: "", due_usage: "" },
    ...Object.fromEntries(Object.entries(rule ?? {}).map(([name, value]) => [name, String(value)])),
    ...(rule === undefined && { stop_repeating: "yes" }),
  });
  expect(saved.statusCode, saved.body).toBe(303);
}

async function complete(task_id: string): Promise<Kind["next"]> {
  const done = { task_id, state: "completed" };
  const { next_task: next } = await owner.ok<ChangedTask>("update_maintenance_task", done);
  if (next === undefined) return undefined;
  const { task } = await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: next.id });
  const [due, usage] = [task["due_date"], task["due_usage"]] as (string | undefined)[];
  return {
    ...(due != null && { due_date: due }),
    ...(usage != null && { due_usage: usage.replace(/,.*/, "") }),
  };
}

test.each(
  names.flatMap((from) =>
    [["tool", changeByTool] as const, ["page", changeOnPage] as const].map(([way, change]) => ({
      from,
      way,
      change,
    })),
  ),
)("changes a recurrence by $from to any other by a $way", async ({ from, change }) => {
  const found: Json = {};
  const expected: Json = {};
  for (const [name, kind] of Object.entries(kinds)) {
    if (name === from) continue;
    const id = await addTask(kinds[from] ?? {});
    // The form has nothing to stop if the work doesn't repeat.
    if (from !== "none" || name !== "none") await change(id, kind);
    found[name] = await complete(id);
    expected[name] = kind.next;
  }

  expect(found).toEqual(expected);
});

import { describe, expect, test } from "vitest";
import { copyAssets } from "../../../server/src/demo/copies.js";
import { badMonth } from "../../../server/src/demo/data/work.js";
import { people, workspaces } from "../../../server/src/demo/data/northgate.js";
import type { Ledger } from "../../../server/src/demo/ledger.js";
import { createSample, type SampleRequest } from "../../../server/src/demo/seed.js";
import { tellSample } from "../../../server/src/demo/tell.js";
import { mondayOf } from "../../../server/src/demo/today.js";
import { addDays, addMonths, dayIn } from "../../../server/src/domain/shared/dates.js";
import { addWorkdays, toWorkday } from "../../../server/src/demo/calendar.js";
import { useDatabase } from "../../support/database.js";

const asOf = "2026-01-15";

describe("sample organization sizes", () => {
  const db = useDatabase();

  const make = (organization: string, more: Partial<SampleRequest> = {}) =>
    createSample(db(), {
      organization,
      size: "tiny",
      asOf,
      password: "correct horse battery",
      baseUrl: "http://fettle.test",
      ...more,
    });

  /** Everything that was created, except random ids. */
  async function readAll(organizationId: string): Promise<string[]> {
    const tables: Record<string, string> = {
      assets: "inventory_number",
      asset_state_periods: "id",
      maintenance_plans: "created_at",
      maintenance_tasks: "task_number",
      task_checklist_items: "label",
      history_events: "sequence",
      workspaces: "name",
      organization_members: "joined_at",
    };
    const all: string[] = [];
    for (const [table, order] of Object.entries(tables)) {
      const rows = await db().query<{ row: string }>(
        `SELECT (to_jsonb(t) - '{id,sequence,request_id,client_id,qr_token}'::text[])::text AS row
         FROM ${table} t WHERE organization_id = $1 ORDER BY ${order}`,
        [organizationId],
      );
      all.push(
        ...rows.map(({ row }) => `${table} ${row.replace(/\b[a-z]{3}_[0-9a-z]{12}\b/g, "id")}`),
      );
    }
    return all;
  }

  test("tiny has one workspace, three assets and two tasks", async () => {
    await expect(make("Tiny")).resolves.toMatchObject({ workspaces: 1, assets: 3, tasks: 2 });
  });

  test("the same request produces the same data", async () => {
    const first = await make("First");
    const second = await make("Second");

    const data = await readAll(first.organizationId);
    expect(await readAll(second.organizationId)).toEqual(data);
    expect(data.filter((row) => row.startsWith("history_events"))).toHaveLength(6);
  });

  describe.each(["2024-02-29", "2025-12-31", "2026-06-01", "2026-08-15", "2026-11-30"])(
    "the story on %s",
    (day) => {
      const { ledger } = tellDay(day);
      const tasks = ledger.rows["maintenance_tasks"] ?? [];
      const open = tasks.filter(({ state }) => state !== "completed" && state !== "cancelled");
      const done = (monthsAgo: number) =>
        tasks.filter((task) => dayOf(task["completed_at"]).startsWith(monthOf(day, monthsAgo)));

      test("has a spring, two bad months and a turn", () => {
        const shares = Array.from({ length: 9 }, (_, monthsAgo) => onTime(ledger, day, monthsAgo));
        for (const share of shares.slice(5)) expectBetween(share, 81, 89);
        for (const share of shares.slice(3, 5)) expectBetween(share, 70, 77);
        // Tasks overdue on the first days of a month were due in the month before.
        expectBetween(shares[1] ?? 0, 85, 95);
        expectBetween(shares[2] ?? 0, 88, 95);
      });

      test("has failures, downtime and costs in their bands", () => {
        for (let monthsAgo = 1; monthsAgo < 12; monthsAgo += 1) {
          const failures = done(monthsAgo).filter(({ type }) => type === "corrective").length;
          expectBetween(failures, 3, 6);
          const cost = done(monthsAgo).reduce((sum, task) => sum + costOf(task), 0);
          const hours = downtime(ledger, day, monthsAgo);
          if (monthsAgo === badMonth) {
            expectBetween(cost, 14_500, 20_000);
            expectBetween(hours, 216, 360);
          } else {
            expectBetween(cost, 8_500, 14_500);
            // On the first days of a month, what is down now began in the month before.
            expectBetween(hours, 25, monthsAgo === 1 ? 260 : 170);
          }
        }
      });

      test("leaves seven tasks overdue, four unassigned and three assets down", () => {
        const down = (ledger.rows["assets"] ?? []).filter(
          ({ state }) => state === "out_of_service",
        );
        const overdue = open.filter(({ due_date: due }) => typeof due === "string" && due < day);
        const unassigned = open.filter(({ assigned_to_user_id: person }) => person === null);
        expect([overdue.length, unassigned.length, down.length]).toEqual([7, 4, 3]);
      });

      test("gives technicians whole weeks of work, and one too much", () => {
        const monday = mondayOf(day) === day ? day : addDays(mondayOf(day), 7);
        const hours = (key: string, from: string) =>
          open
            .filter(
              ({ due_date: due, assigned_to_user_id: id }) =>
                id === key && typeof due === "string" && mondayOf(due) === from,
            )
            .reduce((sum, task) => sum + Number(task["estimated_minutes"]) / 60, 0);
        const technicians = people.filter((person) => Number(person.hours) > 0);
        expect(technicians).toHaveLength(10);
        for (const { key } of people) {
          const week = hours(key, monday);
          if (key === "eva") expect(Math.round(week)).toBe(46);
          else if (technicians.some((one) => one.key === key)) expectBetween(week, 18, 38);
          else expect(week).toBeLessThan(5);
        }
      });

      test("spreads work over many kinds, each asset of which has a category", () => {
        const counts = new Map<string, number>();
        for (const { title } of tasks)
          counts.set(String(title), (counts.get(String(title)) ?? 0) + 1);
        expect(Math.max(...counts.values()) / tasks.length).toBeLessThan(0.1);
        const assets = new Map((ledger.rows["assets"] ?? []).map((asset) => [asset["id"], asset]));
        const uncategorized = tasks.filter(
          (task) => costOf(task) > 0 && !assets.get(task["asset_id"])?.["category_id"],
        );
        expect(uncategorized).toEqual([]);
      });

      test("completes tasks on every working day, and plans ahead", () => {
        const count = (due: string) =>
          tasks.filter(({ completed_at: at }) => dayOf(at) === due).length;
        for (let ago = 1; ago <= 20; ago += 1)
          expect(count(addWorkdays(day, -ago))).toBeGreaterThanOrEqual(2);
        const since = addDays(day, -90);
        const lately = tasks.filter(({ completed_at: at }) => dayOf(at) > since).length;
        expectBetween(lately / 13, 22, 35);
        const monday = addDays(mondayOf(toWorkday(day)), 14);
        const minutes = open
          .filter(({ due_date: due }) => String(due) >= monday && String(due) < addDays(monday, 28))
          .reduce((sum, task) => sum + Number(task["estimated_minutes"]), 0);
        expectBetween(minutes / 60 / 4, 120, 250);
      });

      test("repeats a note at most once, and never on an asset", () => {
        const notes = tasks.flatMap(({ asset_id: asset, completion_notes: note }) =>
          typeof note === "string" ? [`${String(asset)} ${note}`] : [],
        );
        expect(new Set(notes).size).toBe(notes.length);
        const events = (ledger.rows["history_events"] ?? []).map(({ note }) => note);
        const all = [...tasks.map(({ completion_notes: note }) => note), ...events].filter(
          (note) => typeof note === "string",
        );
        const uses = [...new Set(all)].map((note) => all.filter((one) => one === note).length);
        expect(uses.length).toBeGreaterThan(120);
        expect(Math.max(...uses)).toBeLessThanOrEqual(2);
      });

      test("is in order of time and equal each time", () => {
        const titles = (all: typeof tasks) => all.map(({ title, due_date }) => [title, due_date]);
        expect(titles(tellDay(day).ledger.rows["maintenance_tasks"] ?? [])).toEqual(titles(tasks));
        const times = (ledger.rows["history_events"] ?? []).map(({ occurred_at: at }) =>
          Number(at),
        );
        expect(times).toEqual(times.toSorted((left, right) => left - right));
      });
    },
  );

  test("another day shifts all dates", async () => {
    const { organizationId } = await make("Later", { asOf: "2026-02-15" });

    const task = await db().maybe<{ due_date: string }>(
      "SELECT due_date FROM maintenance_tasks WHERE organization_id = $1 AND title = 'Change filters'",
      [organizationId],
    );
    expect(task?.due_date).toBe("2026-02-22");
  });

  test("copies have their own numbers, ids and references", async () => {
    const { organizationId } = await make("Large");

    await copyAssets(db(), organizationId);

    const facts = await db().maybe<Record<string, unknown>>(
      `SELECT count(*)::int AS assets, count(DISTINCT a.inventory_number)::int AS numbers,
         max(a.inventory_number) AS last, count(DISTINCT p.id)::int AS units,
         count(*) FILTER (WHERE a.search @@ to_tsquery('laptop'))::int AS laptops,
         count(*) FILTER (WHERE a.id !~ '^ast_[0-9a-hjkmnp-tv-z]{12}$')::int AS malformed,
         (SELECT o.next_inventory_seq::int FROM organizations o WHERE o.id = $1) AS next_number,
         (SELECT o.next_task_number::int FROM organizations o WHERE o.id = $1) AS next_task,
         (SELECT count(DISTINCT t.task_number)::int FROM maintenance_tasks t
           WHERE t.organization_id = $1) AS tasks,
         (SELECT count(DISTINCT t.plan_id)::int FROM maintenance_tasks t
           WHERE t.organization_id = $1) AS plans,
         (SELECT count(*)::int FROM history_events e WHERE e.organization_id = $1) AS events,
         (SELECT count(*)::int FROM asset_state_periods s WHERE s.organization_id = $1
           AND s.ended_at IS NULL) AS open_periods
       FROM assets a LEFT JOIN assets p ON p.id = a.parent_asset_id
       WHERE a.organization_id = $1`,
      [organizationId],
    );
    expect(facts).toEqual({
      assets: 300,
      numbers: 300,
      last: "434-000300",
      units: 100,
      laptops: 100,
      malformed: 0,
      next_number: 301,
      next_task: 201,
      tasks: 200,
      plans: 100,
      events: 600,
      open_periods: 300,
    });
  });

  test("rejects a non-empty organization and a future day", async () => {
    await make("Taken");

    await expect(make("taken")).rejects.toThrow('The organization "Taken" is not empty');
    await expect(make("New", { asOf: "2999-01-01" })).rejects.toThrow("lies after today");
  });
});

type Row = Record<string, unknown>;

/** The story of a day, told on its evening. */
function tellDay(asOf: string) {
  const known = people.map(({ key, name }) => [key, { userId: key, userName: name }] as const);
  const places = workspaces.map(({ name }) => [name, name] as const);
  const cast = { people: new Map(known), workspaces: new Map(places), inventoryPrefix: "434" };
  return tellSample(
    { ...cast, asOf, hasEdgeCases: false, language: "en" },
    Date.parse(asOf) + 72_000_000,
  );
}

function dayOf(at: unknown): string {
  return at instanceof Date ? dayIn("Europe/Berlin", at) : "";
}

function monthOf(day: string, monthsAgo: number): string {
  return addMonths(`${day.slice(0, 7)}-01`, -monthsAgo).slice(0, 7);
}

function expectBetween(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}

function costOf({ labor_cost: labor, parts_cost: parts, other_cost: other }: Row): number {
  return Number(labor ?? 0) + Number(parts ?? 0) + Number(other ?? 0);
}

const planned = ["preventive", "inspection", "calibration", "compliance_test"];

/** Percent of the work due in a month that was done within a tenth of its interval. */
function onTime(ledger: Ledger, day: string, monthsAgo: number): number {
  const plans = new Map((ledger.rows["maintenance_plans"] ?? []).map((plan) => [plan["id"], plan]));
  const due = (ledger.rows["maintenance_tasks"] ?? []).filter(
    ({ type, state, due_date: date }) =>
      planned.includes(String(type)) &&
      state !== "cancelled" &&
      String(date) < day &&
      String(date).startsWith(monthOf(day, monthsAgo)),
  );
  const inTime = due.filter((task) => {
    const { every, unit } = plans.get(task["plan_id"]) ?? { every: 0, unit: "month" };
    const tolerance = Math.floor((Number(every) * (unit === "year" ? 365 : 30)) / 10);
    const late = Date.parse(dayOf(task["completed_at"])) - Date.parse(String(task["due_date"]));
    return late / 86_400_000 <= Math.max(1, tolerance);
  });
  return (100 * inTime.length) / due.length;
}

function downtime(ledger: Ledger, day: string, monthsAgo: number): number {
  const [from, to] = [monthsAgo, monthsAgo - 1].map((ago) => Date.parse(monthOf(day, ago)));
  const periods = (ledger.rows["asset_state_periods"] ?? []).filter(({ state }) =>
    ["out_of_service", "in_maintenance"].includes(String(state)),
  );
  return periods.reduce((sum, { started_at: start, ended_at: end }) => {
    const last = Math.min(to ?? 0, end === null ? Infinity : Number(end));
    return sum + Math.max(0, last - Math.max(from ?? 0, Number(start))) / 3_600_000;
  }, 0);
}

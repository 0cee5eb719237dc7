import fc from "fast-check";
import { Tx } from "../../server/src/db/database.js";
import { describe, expect, test } from "vitest";
import { findForecast } from "../../server/src/domain/tasks/plan-forecast.js";
import {
  dayOfMonth,
  findNextDue,
  projectNextDue,
  type CalendarRule,
} from "../../server/src/domain/tasks/next-due-date.js";
import { todayOf } from "../../server/src/domain/access/clock.js";
import { addDays } from "../../server/src/domain/shared/dates.js";
import { toCaller } from "../support/builders.js";

function aRule(rule: Partial<CalendarRule> = {}): CalendarRule {
  return {
    every: 1,
    unit: "month",
    anchor: "due_date",
    anchor_day: 31,
    on_weekday: null,
    ends_on: null,
    ...rule,
  };
}

/** Due days of several occurrences, each completed on its due day. */
function follow(rule: CalendarRule, first: string, count: number): (string | null)[] {
  const days: (string | null)[] = [];
  let day: string | null = first;
  while (day !== null && days.length < count) {
    day = findNextDue(rule, { dueDate: day, doneOn: day, today: day }).due;
    days.push(day);
  }
  return days;
}

describe("next due date", () => {
  test("day 31 moves to the last day of shorter months and back", () => {
    expect(follow(aRule(), "2027-01-31", 4)).toEqual([
      "2027-02-28",
      "2027-03-31",
      "2027-04-30",
      "2027-05-31",
    ]);
    expect(follow(aRule(), "2028-01-31", 2)).toEqual(["2028-02-29", "2028-03-31"]);
  });

  test("a leap day returns every four years", () => {
    const yearly = aRule({ unit: "year", anchor_day: 29 });

    expect(follow(yearly, "2024-02-29", 4)).toEqual([
      "2025-02-28",
      "2026-02-28",
      "2027-02-28",
      "2028-02-29",
    ]);
  });

  test("days and weeks continue across months and years", () => {
    expect(follow(aRule({ unit: "week", every: 2 }), "2026-12-21", 2)).toEqual([
      "2027-01-04",
      "2027-01-18",
    ]);
    expect(follow(aRule({ unit: "day", every: 10 }), "2028-02-25", 1)).toEqual(["2028-03-06"]);
    expect(follow(aRule({ every: 14, anchor_day: 30 }), "2026-12-30", 1)).toEqual(["2028-02-29"]);
  });

  test.each([
    ["first monday", "2026-11-02", ["2026-12-07", "2027-01-04", "2027-02-01"]],
    ["third thursday", "2026-11-19", ["2026-12-17", "2027-01-21", "2027-02-18"]],
    ["fourth sunday", "2026-11-22", ["2026-12-27", "2027-01-24", "2027-02-28"]],
    ["last friday", "2026-11-27", ["2026-12-25", "2027-01-29", "2027-02-26"]],
  ] as const)("finds the %s of each month from %s", (on_weekday, first, dues) => {
    expect(follow(aRule({ on_weekday }), first, 3)).toEqual(dues);
  });

  test("a weekday of the month supports years and skips like a day does", () => {
    const on_weekday = "second tuesday";
    expect(follow(aRule({ unit: "year", on_weekday }), "2026-11-10", 2)).toEqual([
      "2027-11-09",
      "2028-11-14",
    ]);
    const passed = { dueDate: "2026-07-14", doneOn: "2026-11-11", today: "2026-11-11" };
    expect(findNextDue(aRule({ on_weekday }), passed)).toEqual({ due: "2026-12-08", skipped: 4 });
    const today = "2026-11-10";
    expect(findNextDue(aRule({ on_weekday }), { ...passed, today })).toEqual({
      due: today,
      skipped: 3,
    });
  });

  test("counted from completion, uses the completion's day of the month", () => {
    const rule = aRule({ anchor: "completion_date", every: 3 });

    expect(
      findNextDue(rule, { dueDate: "2026-11-30", doneOn: "2026-11-12", today: "2026-11-21" }),
    ).toEqual({ due: "2027-02-12", skipped: 0 });
  });

  test.each([
    [aRule({ anchor_day: 15 }), "2026-07-15", "2026-11-21", "2026-12-15", 4],
    [aRule({ anchor_day: 15 }), "2026-07-15", "2026-11-15", "2026-11-15", 3],
    [aRule({ anchor_day: 31 }), "2026-01-31", "2026-02-28", "2026-02-28", 0],
    [aRule({ unit: "week" }), "2026-11-01", "2026-11-21", "2026-11-22", 2],
    [aRule({ unit: "week" }), "2026-11-01", "2026-11-22", "2026-11-22", 2],
    [aRule({ unit: "day" }), "1926-11-21", "2026-11-21", "2026-11-21", 36_524],
    [aRule({ unit: "year", anchor_day: 1 }), "2020-12-01", "2026-11-21", "2026-12-01", 5],
  ])("moves %j from %s on %s to %s", (rule, dueDate, today, due, skipped) => {
    expect(findNextDue(rule, { dueDate, doneOn: today, today })).toEqual({ due, skipped });
  });

  test("early completion keeps the calendar fixed", () => {
    const rule = aRule({ anchor_day: 10 });

    expect(
      findNextDue(rule, { dueDate: "2026-12-10", doneOn: "2026-11-21", today: "2026-11-21" }),
    ).toEqual({ due: "2027-01-10", skipped: 0 });
  });

  test("includes the last day of the recurrence", () => {
    const until = (ends_on: string) => aRule({ anchor_day: 10, ends_on });

    expect(follow(until("2027-01-10"), "2026-12-10", 3)).toEqual(["2027-01-10", null]);
    expect(follow(until("2027-01-09"), "2026-12-10", 3)).toEqual([null]);
    expect(follow(aRule({ unit: "year", every: 999 }), "9500-12-31", 1)).toEqual([null]);
  });

  test("projects an overdue date counted from completion from today", () => {
    const rule = aRule({ anchor: "completion_date", unit: "week" });

    expect(projectNextDue(rule, "2026-11-01", "2026-11-21")).toBe("2026-11-28");
    expect(projectNextDue(rule, "2026-12-01", "2026-11-21")).toBe("2026-12-08");
    expect(projectNextDue(aRule({ anchor_day: 1 }), "2026-12-01", "2026-11-21")).toBe("2027-01-01");
  });

  const anyDay = fc
    .date({ min: new Date("1970-01-01"), max: new Date("2200-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  test("is the first step after the due date that is not before today", () => {
    fc.assert(
      fc.property(
        anyDay,
        anyDay,
        fc.integer({ min: 1, max: 24 }),
        fc.constantFrom("day" as const, "week" as const, "month" as const, "year" as const),
        (dueDate, today, every, unit) => {
          const rule = aRule({ every, unit, anchor_day: dayOfMonth(dueDate) });
          const { due, skipped } = findNextDue(rule, { dueDate, doneOn: today, today });

          expect(due).not.toBeNull();
          expect((due ?? "") > dueDate && (due ?? "") >= today).toBe(true);
          if (skipped === 0) return;
          // One step less is before today.
          const before = { ...rule, every: every * skipped };
          const earlier = findNextDue(before, { dueDate, doneOn: dueDate, today: dueDate }).due;
          expect((earlier ?? "") < today).toBe(true);
        },
      ),
    );
  });
});

describe("forecast of recurring tasks", () => {
  const caller = toCaller({
    ...{ userId: "usr_a", organizationId: "org_a", organization: "A", name: "A" },
    ...{ email: "a@example.com", password: "" },
  });
  const foresee = async (rule: Partial<CalendarRule>, days: number) => {
    const today = todayOf(caller);
    const row = {
      ...aRule(rule),
      due_date: addDays(today, -3),
      state: "scheduled",
      task_number: 1,
    };
    const db = new Tx({} as never, async () => ({ records: [row] }));
    const span = { from: today, to: addDays(today, days) };
    const { occurrences } = await findForecast(db, caller, {}, span);
    return occurrences.map(({ day }) => day);
  };

  test("matches the calendar for days and weeks", async () => {
    for (const anchor of ["due_date", "completion_date"] as const) {
      for (const unit of ["day", "week"] as const) {
        const days = await foresee({ unit, every: 2, anchor }, 100);
        const rule = aRule({ unit, every: 2, anchor });
        const next = (day: string) => projectNextDue(rule, day, todayOf(caller)) ?? "";
        expect(days.slice(1)).toEqual(days.slice(0, -1).map(next));
        expect(days.length).toBeGreaterThan(6);
      }
    }
    const end = addDays(todayOf(caller), 4);
    expect((await foresee({ unit: "day", ends_on: end }, 100)).at(-1)).toBe(end);
  });

  test("LIM-96: uses the calendar once for any number of tasks", async () => {
    let asked = 0;
    const rule = {
      unit: "day",
      get anchor() {
        asked += 1;
        return "due_date" as const;
      },
    } as const;
    expect((await foresee(rule, 40)).length).toBeGreaterThan(39);
    expect(asked).toBeLessThan(10);
  });
});

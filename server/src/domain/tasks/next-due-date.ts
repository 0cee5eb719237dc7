import { Temporal } from "temporal-polyfill";
import {
  weekdayPlaces,
  weekdays,
  type MaintenancePlan,
  type WeekdayOfMonth,
} from "../../db/entities/maintenance-plan.js";

/** How work repeats, in calendar days without clock or zone. */
export type RepeatRule = Pick<
  MaintenancePlan,
  "every" | "unit" | "anchor" | "anchor_day" | "on_weekday" | "ends_on"
>;

export interface NextDue {
  /** Null when the repetition ends here. */
  due: string | null;
  /** Occurrences left out because their day has passed. */
  skipped: number;
}

/**
 * When the occurrence after this one is due: the first step of the rule from its due date, or from
 * the day it was done, that does not lie before today.
 */
export function findNextDue(
  rule: RepeatRule,
  { dueDate, doneOn, today }: { dueDate: string; doneOn: string; today: string },
): NextDue {
  const fixed = rule.anchor === "due_date";
  const base = Temporal.PlainDate.from(fixed ? dueDate : doneOn);
  const anchorDay = fixed ? rule.anchor_day : base.day;
  let steps = leastSteps(rule, base, Temporal.PlainDate.from(today));
  let due = addSteps(rule, { base, anchorDay }, steps);
  if (due !== null && due < today) {
    steps += 1;
    due = addSteps(rule, { base, anchorDay }, steps);
  }
  const ended = due === null || (rule.ends_on !== null && due > rule.ends_on);
  return { due: ended ? null : due, skipped: steps - 1 };
}

/** The same before anything is done: as if on the due date, or today when that has passed. */
export function projectNextDue(rule: RepeatRule, dueDate: string, today: string): string | null {
  const doneOn = dueDate < today ? today : dueDate;
  return findNextDue(rule, { dueDate, doneOn, today }).due;
}

export function dayOfMonth(day: string): number {
  return Number(day.slice(-2));
}

/** Steps that lead to the day asked for or, counted in months, into its month; at least one. */
function leastSteps(
  { every, unit }: RepeatRule,
  base: Temporal.PlainDate,
  day: Temporal.PlainDate,
): number {
  const passed =
    unit === "day" || unit === "week"
      ? base.until(day, { largestUnit: unit })
      : base.toPlainYearMonth().until(day.toPlainYearMonth(), { largestUnit: unit });
  return Math.max(1, Math.floor(passed[`${unit}s`] / every));
}

/** Null beyond the calendar's four-digit years. */
function addSteps(
  { every, unit, on_weekday: onWeekday }: RepeatRule,
  { base, anchorDay }: { base: Temporal.PlainDate; anchorDay: number },
  steps: number,
): string | null {
  const day = base.add({ [`${unit}s`]: steps * every });
  const due = unit === "day" || unit === "week" ? day : inMonth(day, anchorDay, onWeekday);
  return due.year > 9999 ? null : due.toString();
}

function inMonth(
  day: Temporal.PlainDate,
  anchorDay: number,
  onWeekday: WeekdayOfMonth | null,
): Temporal.PlainDate {
  if (onWeekday === null) return day.with({ day: anchorDay });
  const [place, weekday] = onWeekday.split(" ") as [
    (typeof weekdayPlaces)[number],
    (typeof weekdays)[number],
  ];
  const from = place === "last" ? day.daysInMonth - 6 : 1 + 7 * weekdayPlaces.indexOf(place);
  const start = day.with({ day: from });
  return start.add({ days: (weekdays.indexOf(weekday) + 8 - start.dayOfWeek) % 7 });
}

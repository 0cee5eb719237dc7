import type { RepeatAnchor, RepeatUnit } from "../../db/entities/maintenance-plan.js";
import { daysBetween } from "../values/dates.js";

/** How work repeats, in calendar days without clock or zone. */
export interface RepeatRule {
  every: number;
  unit: RepeatUnit;
  anchor: RepeatAnchor;
  /** The day of the month that a fixed calendar comes back to after a shorter month. */
  anchor_day: number;
  /** No occurrence is due after this day. */
  ends_on: string | null;
}

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
  const base = fixed ? dueDate : doneOn;
  const anchorDay = fixed ? rule.anchor_day : dayOfMonth(base);
  let steps = leastSteps(rule, base, today);
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

const dayMs = 86_400_000;

function lengthOf({ every, unit }: RepeatRule): { days: number } | { months: number } {
  if (unit === "day") return { days: every };
  if (unit === "week") return { days: every * 7 };
  return { months: unit === "month" ? every : every * 12 };
}

/** Steps that lead to the day asked for or, counted in months, into its month; at least one. */
function leastSteps(rule: RepeatRule, base: string, day: string): number {
  const length = lengthOf(rule);
  const steps =
    "days" in length
      ? Math.ceil(daysBetween(base, day) / length.days)
      : Math.floor((monthIndex(day) - monthIndex(base)) / length.months);
  return Math.max(1, steps);
}

/** Null beyond the calendar's four-digit years. */
function addSteps(
  rule: RepeatRule,
  { base, anchorDay }: { base: string; anchorDay: number },
  steps: number,
): string | null {
  const length = lengthOf(rule);
  if ("days" in length) return toDay(new Date(Date.parse(base) + steps * length.days * dayMs));
  const month = monthIndex(base) + steps * length.months;
  const last = new Date(0);
  last.setUTCFullYear(Math.floor(month / 12), (month % 12) + 1, 0);
  last.setUTCDate(Math.min(anchorDay, last.getUTCDate()));
  return toDay(last);
}

function monthIndex(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function toDay(at: Date): string | null {
  return at.getTime() < Date.UTC(10_000, 0) ? at.toISOString().slice(0, 10) : null;
}

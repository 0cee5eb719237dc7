import { Temporal } from "temporal-polyfill";
import {
  weekdayPlaces,
  weekdays,
  type MaintenancePlan,
  type RepeatUnit,
  type WeekdayOfMonth,
} from "../../db/entities/tasks.js";

/** A calendar repetition, in days without time or zone. Without `every`, it doesn't repeat. */
export type CalendarRule = Pick<
  MaintenancePlan,
  "every" | "unit" | "anchor" | "anchor_day" | "on_weekday" | "ends_on"
>;

/** A repetition by calendar, by meter usage, or by the one that comes first. */
export interface RepeatRule
  extends CalendarRule, Pick<MaintenancePlan, "meter_id" | "every_usage"> {
  meter: string | null;
  meter_unit: string | null;
}

export interface NextDue {
  /** Null if the repetition ends here, or is by usage only. */
  due: string | null;
  /** Occurrences skipped because their day has passed. */
  skipped: number;
}

interface Steps extends Pick<CalendarRule, "on_weekday"> {
  every: number;
  unit: RepeatUnit;
}

/**
 * Returns the next due date: the first step from the due date, or from the completion day, that
 * isn't before today.
 */
export function findNextDue(
  rule: CalendarRule,
  { dueDate, doneOn, today }: { dueDate: string | null; doneOn: string; today: string },
): NextDue {
  const { every, unit, on_weekday, ends_on: end } = rule;
  if (every === null || unit === null) return { due: null, skipped: 0 };
  const isFixed = rule.anchor === "due_date" && dueDate !== null;
  const base = Temporal.PlainDate.from(isFixed ? dueDate : doneOn);
  const anchorDay = (isFixed ? rule.anchor_day : null) ?? base.day;
  const interval = { every, unit, on_weekday };
  let steps = leastSteps(interval, base, Temporal.PlainDate.from(today));
  let due = addSteps(interval, { base, anchorDay }, steps);
  if (due !== null && due < today) {
    steps += 1;
    due = addSteps(interval, { base, anchorDay }, steps);
  }
  const hasEnded = due === null || (end !== null && due > end);
  return { due: hasEnded ? null : due, skipped: steps - 1 };
}

/** Predicts the next due date, assuming completion on the due date, or today if it has passed. */
export function projectNextDue(rule: CalendarRule, dueDate: string, today: string): string | null {
  const doneOn = dueDate < today ? today : dueDate;
  return findNextDue(rule, { dueDate, doneOn, today }).due;
}

export function isOver({ every, ends_on: end }: CalendarRule, due: string | null, today: string) {
  return due === null && (every !== null || (end !== null && today > end));
}

/**
 * Returns the nearest days before and after a day that match a weekday of the month. Undefined if
 * the day itself matches.
 */
export function nearestOnWeekday(
  onWeekday: WeekdayOfMonth,
  day: string,
): { before: string; after: string } | undefined {
  const month = Temporal.PlainDate.from(day).with({ day: 1 });
  const days = [-1, 0, 1].map((months) => inMonth(month.add({ months }), 1, onWeekday).toString());
  if (days.includes(day)) return undefined;
  const [first = day, second = day, third = day] = days;
  return day < second ? { before: first, after: second } : { before: second, after: third };
}

/** Returns the next due dates of a calendar repetition, up to its end. */
export function projectDues(
  rule: CalendarRule,
  dueDate: string,
  { today, count }: { today: string; count: number },
): string[] {
  const dues: string[] = [];
  for (let due: string | null = dueDate; dues.length < count; dues.push(due)) {
    due = projectNextDue(rule, due, today);
    if (due === null) break;
  }
  return dues;
}

export function dayOfMonth(day: string): number {
  return Number(day.slice(-2));
}

/** Number of steps to the given day or, in months, to its month. At least one. */
function leastSteps(
  { every, unit }: Steps,
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
  { every, unit, on_weekday: onWeekday }: Steps,
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

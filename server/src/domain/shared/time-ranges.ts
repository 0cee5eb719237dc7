import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { dayIn } from "./dates.js";
import type { Parameters } from "../../db/parameters.js";

/** Both ends included; each a day (all of it, in the organization's time zone) or RFC 3339. */
export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

export function checkTimeRange({ timeZone }: Caller, { from, to }: TimeRange): void {
  if (from === undefined || to === undefined || isInOrder(timeZone, from, to)) return;
  const fields = { field: "from", otherField: "to" };
  throw new AppError("validation_failed", "times_reversed", { ...fields, from, to });
}

/** Two filters by day, each with its name; which of the two includes its day is not asked here. */
export function checkDayRange(
  [field, from]: [string, string | undefined],
  [otherField, to]: [string, string | undefined],
): void {
  if (from === undefined || to === undefined || from <= to) return;
  const days = { field, day: from, otherField, otherDay: to };
  throw new AppError("validation_failed", "days_reversed", days);
}

/** The conditions on a column of instants. */
export function inTimeRange(
  column: string,
  { timeZone }: Caller,
  { from, to }: TimeRange,
  { add }: Parameters,
): string[] {
  const conditions: string[] = [];
  if (from !== undefined) {
    const start = isDay(from)
      ? `${add(from)}::date::timestamp AT TIME ZONE ${add(timeZone)}`
      : `${add(from)}::timestamptz`;
    conditions.push(`${column} >= ${start}`);
  }
  if (to !== undefined) {
    const end = isDay(to)
      ? `(${add(to)}::date + 1)::timestamp AT TIME ZONE ${add(timeZone)}`
      : `${add(to)}::timestamptz${isWholeSecond(to) ? " + interval '1 second'" : ""}`;
    conditions.push(`${column} ${isDay(to) || isWholeSecond(to) ? "<" : "<="} ${end}`);
  }
  return conditions;
}

function isDay(text: string): boolean {
  return text.length === 10;
}

/** Answers give times to the second, so a second taken from one means all of it. */
function isWholeSecond(instant: string): boolean {
  return !instant.includes(".");
}

function isInOrder(timeZone: string, from: string, to: string): boolean {
  if (!isDay(from) && !isDay(to)) return Date.parse(from) <= Date.parse(to);
  const dayOf = (text: string) => (isDay(text) ? text : dayIn(timeZone, new Date(text)));
  return dayOf(from) <= dayOf(to);
}

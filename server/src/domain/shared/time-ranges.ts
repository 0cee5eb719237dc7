import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { dayIn } from "./dates.js";
import type { Parameters } from "../../db/parameters.js";

/** Inclusive. Each end is RFC 3339 or a whole day in the organization's time zone. */
export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

export function checkTimeRange({ timeZone }: Caller, { from, to }: TimeRange): void {
  if (from === undefined || to === undefined || isInOrder(timeZone, from, to)) return;
  const fields = { field: "from", otherField: "to" };
  throw new AppError("validation_failed", "times_reversed", { ...fields, from, to });
}

/** Checks the order of two day filters with their names, whether they are inclusive or not. */
export function checkDayRange(
  [field, from]: [string, string | undefined],
  [otherField, to]: [string, string | undefined],
): void {
  if (from === undefined || to === undefined || from <= to) return;
  const days = { field, day: from, otherField, otherDay: to };
  throw new AppError("validation_failed", "days_reversed", days);
}

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

/** Responses have times to the second, so such a time means the whole second. */
function isWholeSecond(instant: string): boolean {
  return !instant.includes(".");
}

function isInOrder(timeZone: string, from: string, to: string): boolean {
  if (!isDay(from) && !isDay(to)) return Date.parse(from) <= Date.parse(to);
  const dayOf = (text: string) => (isDay(text) ? text : dayIn(timeZone, new Date(text)));
  return dayOf(from) <= dayOf(to);
}

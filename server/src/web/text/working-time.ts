import type { WorkingTime } from "../../domain/people/working-time.js";
import { dateFormat } from "../../language/formats.js";
import { t } from "../../language/translate.js";
import { formatDay, formatMinutes, listOf } from "./format.js";

/** ISO weekdays, from Monday. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** "Monday", or "Mon". */
export function weekdayName(day: number, weekday: "long" | "short" = "long"): string {
  // 1 January 2024 was a Monday.
  return dateFormat({ weekday, timeZone: "UTC" }).format(new Date(Date.UTC(2024, 0, day)));
}

/** "38 h a week, Mon–Fri" */
export function describeWorkingTime({
  weekly_minutes: minutes,
  working_days,
}: WorkingTime): string {
  const days = working_days.toSorted();
  const [first = 1, last = first] = [days[0], days.at(-1)];
  const isRange = days.length > 2 && last - first === days.length - 1;
  const names = isRange
    ? `${weekdayName(first, "short")}–${weekdayName(last, "short")}`
    : listOf(days.map((day) => weekdayName(day, "short")));
  return t("{hours} a week, {days}", { hours: formatMinutes(minutes), days: names });
}

/** "21 Dec 2026 to 4 Jan 2027", or one day. */
export function describeDayRange({ first_day: first, last_day: last }: Days): string {
  if (first === last) return formatDay(first);
  return t("{from} to {to}", { from: formatDay(first), to: formatDay(last) });
}

interface Days {
  first_day: string;
  last_day: string;
}

import { addDays, addMonths, firstOfMonth, weekdayOf } from "../../../domain/shared/dates.js";
import { dateFormat } from "../../../language/formats.js";
import { currentLocale } from "../../../language/locale.js";
import { t } from "../../../language/translate.js";
import { formatDay } from "../../text/format.js";

export const planViews = ["week", "month"] as const;
export type PlanView = (typeof planViews)[number];

/** Days of one column in the load table: a day of a week, or a week of a month. */
export interface Span {
  from: string;
  label: string;
  days: string[];
}

/**
 * The period that a plan shows. Weeks begin on Monday. The current week shows seven days from today
 * on, so it has all working days of a week.
 */
export interface PlanWindow {
  view: PlanView;
  /** The first day of the week or month. */
  begin: string;
  /** The first day of whole weeks, and the last day. */
  from: string;
  to: string;
  /**
   * The first day with its own work. This is today if earlier due work appears before it as
   * overdue.
   */
  firstDay: string;
  hasOverdue: boolean;
  days: string[];
  spans: Span[];
  title: string;
  before: string;
  after: string;
}

export function toWindow(view: PlanView, day: string, today: string): PlanWindow {
  const begin = view === "week" ? mondayOf(day) : firstOfMonth(day);
  const from = mondayOf(begin);
  const after = view === "week" ? addDays(begin, 7) : addMonths(begin, 1);
  const end = view === "week" ? addDays(begin, 6) : addDays(mondayOf(addDays(after, -1)), 6);
  const hasOverdue = from <= today && today <= end;
  const firstDay = hasOverdue ? today : from;
  const to = hasOverdue && view === "week" ? addDays(today, 6) : end;
  const days: string[] = [];
  for (let one = from; one <= to && days.length < 42; one = addDays(one, 1)) days.push(one);
  const open = days.filter((one) => one >= firstDay);
  const isStart = (one: string) => view === "week" || one === firstDay || one === mondayOf(one);
  const starts = open.filter(isStart);
  return {
    view,
    begin,
    from,
    to,
    firstDay,
    hasOverdue,
    days,
    spans: starts.map((one, index) => ({
      from: one,
      label: toLabel(view, one),
      days: open.filter((day) => day >= one && day < (starts[index + 1] ?? "9999-99")),
    })),
    title:
      view === "week"
        ? t("{from} to {to}", { from: formatDay(firstDay), to: formatDay(to) })
        : dateFormat(monthStyle).format(toDate(begin)),
    before: view === "week" ? addDays(begin, -7) : addMonths(begin, -1),
    after,
  };
}

export function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day));
}

const monthStyle = { month: "long", year: "numeric", timeZone: "UTC" } as const;
const weekdayStyle = { weekday: "short", day: "numeric", timeZone: "UTC" } as const;
const dayOfMonthStyle = { day: "numeric", month: "short", timeZone: "UTC" } as const;

function toDate(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** "Mon 24", or "24 – 30 Nov" for a week. */
function toLabel(view: PlanView, day: string): string {
  if (view === "week") return formatShortDay(day);
  const last = addDays(mondayOf(day), 6);
  const format = dateFormat(dayOfMonthStyle);
  const [from, to] = [toDate(day), toDate(last)];
  if (day === last) return format.format(from);
  if (currentLocale() !== "en-GB") return format.formatRange(from, to);
  const isOfMonth = day.slice(0, 7) === last.slice(0, 7);
  return `${isOfMonth ? String(from.getUTCDate()) : format.format(from)} – ${format.format(to)}`;
}

/** "Mon 24" */
export function formatShortDay(day: string): string {
  return dateFormat(weekdayStyle).format(toDate(day));
}

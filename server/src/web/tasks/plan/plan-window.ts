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
 * on, so it has all working days of a week. The current month shows five weeks from this week on.
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
  /** Days outside of this month only complete its weeks. Undefined if there are none. */
  month: string | undefined;
  before: string;
  after: string;
}

export function toWindow(view: PlanView, day: string, today: string): PlanWindow {
  const period = toPeriod(view, day, today);
  const { begin, from, to, month } = period;
  const hasOverdue = from <= today && today <= to;
  const firstDay = hasOverdue ? today : from;
  const days: string[] = [];
  for (let one = from; one <= to && days.length < 42; one = addDays(one, 1)) days.push(one);
  const open = days.filter((one) => one >= firstDay);
  const isStart = (one: string) => view === "week" || one === firstDay || one === mondayOf(one);
  const starts = open.filter(isStart);
  return {
    view,
    ...period,
    firstDay,
    hasOverdue,
    days,
    spans: starts.map((one, index) => ({
      from: one,
      label: toLabel(view, one),
      days: open.filter((day) => day >= one && day < (starts[index + 1] ?? "9999-99")),
    })),
    title:
      month === undefined
        ? t("{from} to {to}", { from: formatDay(firstDay), to: formatDay(to) })
        : dateFormat(monthStyle).format(toDate(begin)),
  };
}

type Period = Pick<PlanWindow, "begin" | "from" | "to" | "month" | "before" | "after">;

function toPeriod(view: PlanView, day: string, today: string): Period {
  if (view === "month") return toMonth(firstOfMonth(day), today);
  const begin = mondayOf(day);
  return {
    begin,
    from: begin,
    to: addDays(begin === mondayOf(today) ? today : begin, 6),
    month: undefined,
    before: addDays(begin, -7),
    after: addDays(begin, 7),
  };
}

function toMonth(begin: string, today: string): Period {
  const [before, next] = [addMonths(begin, -1), addMonths(begin, 1)];
  if (begin !== firstOfMonth(today)) {
    const to = addDays(mondayOf(addDays(next, -1)), 6);
    return { begin, from: mondayOf(begin), to, month: begin.slice(0, 7), before, after: next };
  }
  const from = mondayOf(today);
  const to = addDays(from, 34);
  // The first month that isn't shown to its end.
  const rest = firstOfMonth(addDays(to, 1));
  return { begin, from, to, month: undefined, before, after: rest < next ? next : rest };
}

export function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day));
}

const monthStyle = { month: "long", year: "numeric", timeZone: "UTC" } as const;
const weekdayStyle = { weekday: "short", day: "numeric", timeZone: "UTC" } as const;
const firstOfMonthStyle = { ...weekdayStyle, month: "short" } as const;
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

/** "Mon 24", and "Tue 1 Dec" for the first of a month. */
export function formatShortDay(day: string): string {
  const style = day.endsWith("-01") ? firstOfMonthStyle : weekdayStyle;
  return dateFormat(style).format(toDate(day));
}

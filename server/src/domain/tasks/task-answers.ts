import type { RepeatUnit, WeekdayOfMonth, TaskState } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { taskUrl } from "../access/urls.js";
import { toTaskNumber } from "../shared/task-references.js";
import { dateFormat } from "../../language/formats.js";
import { t } from "../../language/translate.js";
import { formatUsage } from "../shared/usage.js";
import { shownState } from "./task-states.js";

export interface TaskSummary {
  id: string;
  task_number: string;
  title: string;
  state: TaskState | "overdue";
  /** The stored state of an overdue task. */
  progress: TaskState | null;
  due_date: string | null;
  asset_id: string | null;
  asset_name: string | null;
  version: number;
  url: string;
}

export function toTaskSummary(
  caller: Caller,
  task: Omit<TaskSummary, "task_number" | "state" | "progress" | "url"> & {
    task_number: number;
    state: TaskState;
    hidden: boolean;
  },
  today: string,
): TaskSummary {
  const { id, title, due_date, asset_id, asset_name, version } = task;
  const { state, progress = null } = shownState(task, today);
  return {
    id,
    task_number: toTaskNumber(task.task_number),
    title,
    state,
    progress,
    due_date,
    asset_id,
    asset_name,
    version,
    url: taskUrl(caller, id),
  };
}

/**
 * `every 3 months`, `every month on the first Monday or every 10,000 km (Odometer)`, or null if the
 * task doesn't repeat.
 */
export function describeRecurrence(plan: {
  every: number | null;
  unit: RepeatUnit | null;
  on_weekday: WeekdayOfMonth | null;
  every_usage: number | null;
  meter: string | null;
  meter_unit: string | null;
  plan_active: boolean | null;
}): string | null {
  const { every_usage: usage, meter, meter_unit, plan_active } = plan;
  if (plan_active !== true) return null;
  const byUsage =
    usage !== null &&
    meter !== null &&
    t("every {usage} ({meter})", { usage: formatUsage(usage, meter_unit ?? ""), meter });
  const byDays = describeInterval(plan);
  if (byDays !== false && byUsage !== false) {
    return t("{days} or {usage}", { days: byDays, usage: byUsage });
  }
  return byDays || byUsage || null;
}

function describeInterval({
  every,
  unit,
  on_weekday: weekday,
}: Pick<Parameters<typeof describeRecurrence>[0], "every" | "unit" | "on_weekday">) {
  if (every === null || unit === null) return false;
  const interval = t(intervals[unit], { every });
  if (weekday === null) return interval;
  const { place, day } = nameWeekday(weekday);
  return t(onWeekdays[place], { interval, weekday: day });
}

const intervals = {
  day: "every {every, plural, =1 {day} other {# days}}",
  week: "every {every, plural, =1 {week} other {# weeks}}",
  month: "every {every, plural, =1 {month} other {# months}}",
  year: "every {every, plural, =1 {year} other {# years}}",
} as const;

const onWeekdays = {
  first: "{interval} on the first {weekday}",
  second: "{interval} on the second {weekday}",
  third: "{interval} on the third {weekday}",
  fourth: "{interval} on the fourth {weekday}",
  last: "{interval} on the last {weekday}",
} as const;

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

export function nameWeekday(weekday: WeekdayOfMonth): {
  place: keyof typeof onWeekdays;
  day: string;
} {
  const [place, name = ""] = weekday.split(" ");
  // The first day of 2024 was a Monday.
  const day = new Date(Date.UTC(2024, 0, 1 + weekdays.indexOf(name)));
  return {
    place: place as keyof typeof onWeekdays,
    day: dateFormat({ weekday: "long", timeZone: "UTC" }).format(day),
  };
}

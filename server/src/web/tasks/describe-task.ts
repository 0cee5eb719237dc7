import { describeRecurrence } from "../../domain/tasks/task-answers.js";
import { t } from "../../language/translate.js";
import type { Task } from "./read-task.js";
import { formatDay, formatMinutes, formatMoney } from "../text/format.js";

type Recurrence = NonNullable<Task["recurrence"]>;

/** "Every 3 months, counted from the due date, last due 30 Jun 2027" */
export function describeRepetition({
  anchor,
  ends_on,
  ...rule
}: Omit<Recurrence, "due_usage">): string {
  const interval = describeRecurrence({ ...rule, plan_active: true }) ?? "";
  const values = { interval: interval.charAt(0).toUpperCase() + interval.slice(1) };
  const rhythm =
    anchor === "due_date"
      ? t("{interval}, counted from the due date", values)
      : t("{interval}, counted from the day the work was done", values);
  return ends_on === null
    ? rhythm
    : t("{repetition}, ends on {day}", { repetition: rhythm, day: formatDay(ends_on) });
}

/** "2 h 30 min". Null if unknown. */
export function inMinutes(minutes: number | null): string | null {
  return minutes === null ? null : formatMinutes(minutes);
}

/** "€120.00: labour €80.00, parts €40.00" */
export function describeCosts(task: Task): string | null {
  const { labor_cost, parts_cost, other_cost, total_cost, currency } = task;
  if (total_cost === null) return null;
  const parts = [
    ["labor {amount}", labor_cost],
    ["parts {amount}", parts_cost],
    ["other {amount}", other_cost],
  ] as const;
  const known = parts.flatMap(([text, cost]) =>
    cost === null ? [] : [t(text, { amount: formatMoney(cost, currency) })],
  );
  return `${formatMoney(total_cost, currency)} (${known.join(", ")})`;
}

/** "T-118 Replace the seal", for window titles and headings. */
export function nameOf({ task_number, title }: Pick<Task, "task_number" | "title">): string {
  return `${task_number} ${title}`;
}

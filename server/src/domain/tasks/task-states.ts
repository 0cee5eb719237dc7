import type { TaskState } from "../../db/entities/tasks.js";
import { daysBetween } from "../shared/dates.js";

/*
 * What open and overdue mean, for rows that were read and as conditions in SQL. An open task whose
 * due day lies before the organization's today is overdue. A task that is due today is not, and tasks of a
 * retired asset never are.
 */

const openStates: readonly TaskState[] = ["scheduled", "in_progress", "on_hold"];

export function isOpenState(state: TaskState): boolean {
  return openStates.includes(state);
}

/** The state as people see it. */
export function shownState(
  task: { state: TaskState; due_date: string | null; hidden: boolean },
  today: string,
): { state: TaskState | "overdue"; progress?: TaskState; days_overdue?: number } {
  const { state, due_date, hidden } = task;
  if (hidden || !isOpenState(state) || due_date === null || due_date >= today) return { state };
  return { state: "overdue", progress: state, days_overdue: daysBetween(due_date, today) };
}

/** `task` is the alias of a maintenance_tasks row. */
export function isOpen(task: string): string {
  return `${task}.state IN (${openStates.map((state) => `'${state}'`).join(", ")})`;
}

/** In the words of the indexes that end with it, the due day and the id; they do not know NOT. */
export const isFinished = "(t.state IN ('completed', 'cancelled'))";
export const isUnfinished = `${isFinished} IS FALSE`;

/** `today` is a parameter such as `$2`, the organization's today. */
export function isOverdue(task: string, today: string): string {
  return `(NOT ${task}.hidden AND ${isOpen(task)} AND ${task}.due_date < ${today}::date)`;
}

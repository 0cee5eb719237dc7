import type { TaskState } from "../../db/entities/tasks.js";
import { daysBetween } from "../shared/dates.js";

/*
 * Definitions of open and overdue, for rows and as SQL conditions. An open task is overdue if its
 * due date is before the organization's today. A task due today is not. Tasks of a retired asset
 * never are.
 */

const openStates: readonly TaskState[] = ["scheduled", "in_progress", "on_hold"];

export function isOpenState(state: TaskState): boolean {
  return openStates.includes(state);
}

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

/**
 * Must match the indexes that end with this expression, the due date and the id. They don't support
 * NOT.
 */
export const isFinished = "(t.state IN ('completed', 'cancelled'))";
export const isUnfinished = `${isFinished} IS FALSE`;

/** `today` is a parameter such as `$2`, the organization's today. */
export function isOverdue(task: string, today: string): string {
  return `(NOT ${task}.hidden AND ${isOpen(task)} AND ${task}.due_date < ${today}::date)`;
}

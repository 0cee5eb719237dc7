import type { TaskState } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";
import type { TaskRecord } from "./task-record.js";

/**
 * Allowed transitions. From completed to in_progress and from cancelled to scheduled reopens the
 * task.
 */
const possible: Record<TaskState, readonly TaskState[]> = {
  scheduled: ["in_progress", "on_hold", "completed", "cancelled"],
  in_progress: ["scheduled", "on_hold", "completed", "cancelled"],
  on_hold: ["scheduled", "in_progress", "completed", "cancelled"],
  completed: ["in_progress"],
  cancelled: ["scheduled"],
};

export function nextStatesOf(state: TaskState): readonly TaskState[] {
  return possible[state];
}

export function toNextState(task: TaskRecord, asked: TaskState | "overdue" | undefined): TaskState {
  if (asked === undefined || asked === task.state) return task.state;
  if (asked === "overdue") {
    throw new AppError("invalid_transition", "overdue_is_computed", { field: "state" });
  }
  if (possible[task.state].includes(asked)) return asked;
  const details = { field: "state", present: task.state, next: possible[task.state], asked };
  throw new AppError("invalid_transition", "state_unreachable", details);
}

export function followState(
  task: TaskRecord,
  state: TaskState,
  { at, completedAt = at }: { at: Date; completedAt: Date | undefined },
): [column: string, value: unknown][] {
  const columns: [string, unknown][] = [["state", state]];
  if (state === "in_progress") columns.push(["started_at", task.started_at ?? at]);
  if (state === "scheduled") columns.push(["started_at", null]);
  if (state === "completed") columns.push(...finishedAt(task, completedAt));
  if (state === "cancelled") columns.push(["cancelled_at", at]);
  if (task.state === "completed") columns.push(["completed_at", null], ["completed_by", null]);
  if (task.state === "cancelled") columns.push(["cancelled_at", null]);
  return columns;
}

/** Work that finished before its recorded start counts as started when it finished. */
export function finishedAt(task: TaskRecord, at: Date): [column: string, value: unknown][] {
  const tooLate = task.started_at !== null && task.started_at > at;
  return [["completed_at", at], ...(tooLate ? [["started_at", at] as [string, unknown]] : [])];
}

import type { TaskState } from "../../db/entities/maintenance-task.js";
import { daysBetween } from "../shared/dates.js";
import type { Figures } from "./figures.js";

const isFinished = (state: string) => state === "completed" || state === "cancelled";

/** Tasks by the state that people see; together they are all that there are. */
export function describeTasks(figures: Figures, today: string) {
  // Finished tasks have a day before all others.
  const overdue = figures.count("task", ["past"], (state) => !isFinished(state));
  const upcoming = ["today", "week", "month", "quarter", "later"] as const;
  const inState = (name: TaskState) =>
    figures.count("task", isFinished(name) ? undefined : upcoming, (state) => state === name);
  const firstDay = figures.firstDay("task", ["past"], (state) => !isFinished(state));
  return {
    total: figures.count("task"),
    by_state: {
      scheduled: inState("scheduled"),
      in_progress: inState("in_progress"),
      on_hold: inState("on_hold"),
      overdue,
      completed: inState("completed"),
      cancelled: inState("cancelled"),
    },
    due_today: figures.count("task", ["today"]),
    due_in_7_days: figures.count("task", ["today", "week"]),
    due_in_30_days: figures.count("task", ["today", "week", "month"]),
    unassigned_open: figures.count("assigned_task"),
    oldest_overdue_days: firstDay === undefined ? null : daysBetween(firstDay, today),
  };
}

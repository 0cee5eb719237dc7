import type { EntityManager } from "typeorm";
import { createParameters } from "../parameters.js";
import { isOpen, isOverdue } from "../task-states.js";
import { addToday, isCounted, type StatsRequest } from "./stats-request.js";

const shownStates = [
  "scheduled",
  "in_progress",
  "on_hold",
  "overdue",
  "completed",
  "cancelled",
] as const;

interface StateRow {
  state: (typeof shownStates)[number];
  tasks: number;
  due_today: number;
  due_in_7_days: number;
  due_in_30_days: number;
  unassigned_open: number;
  oldest_overdue_days: number | null;
}

/** Tasks by the state that people see; together they are all that there are. */
export async function countTasks(db: EntityManager, request: StatsRequest) {
  const parameters = createParameters(request.caller.organizationId);
  const today = addToday(request, parameters);
  const open = isOpen("t");
  const dueWithin = (days: number) =>
    `count(*) FILTER (WHERE ${open} AND t.due_date BETWEEN ${today} AND ${today} + ${days - 1})::int`;
  const rows: StateRow[] = await db.query(
    `SELECT CASE WHEN ${isOverdue("t", today)} THEN 'overdue' ELSE t.state END AS state,
       count(*)::int AS tasks, ${dueWithin(1)} AS due_today, ${dueWithin(7)} AS due_in_7_days,
       ${dueWithin(30)} AS due_in_30_days,
       count(*) FILTER (WHERE ${open} AND t.assigned_to_user_id IS NULL)::int AS unassigned_open,
       ${today} - min(t.due_date) AS oldest_overdue_days
     FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND NOT t.hidden AND ${isCounted(request, parameters, "t")}
     GROUP BY 1`,
    parameters.values,
  );
  const found = new Map(rows.map((row) => [row.state, row]));
  const sum = (field: Exclude<keyof StateRow, "state" | "oldest_overdue_days">) =>
    rows.reduce((total, row) => total + row[field], 0);
  return {
    total: sum("tasks"),
    by_state: Object.fromEntries(
      shownStates.map((state) => [state, found.get(state)?.tasks ?? 0]),
    ) as Record<StateRow["state"], number>,
    due_today: sum("due_today"),
    due_in_7_days: sum("due_in_7_days"),
    due_in_30_days: sum("due_in_30_days"),
    unassigned_open: sum("unassigned_open"),
    oldest_overdue_days: found.get("overdue")?.oldest_overdue_days ?? null,
  };
}

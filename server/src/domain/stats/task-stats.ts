import type { EntityManager } from "typeorm";
import type { TaskState } from "../../db/entities/maintenance-task.js";
import { createParameters } from "../sql/parameters.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import { customPlan } from "../sql/custom-plan.js";
import { addToday, isCounted, type StatsRequest } from "./stats-request.js";

interface StateRow {
  /** As stored. */
  state: TaskState;
  tasks: number;
  /** Null for states in which no task is open. */
  overdue: number | null;
  due_today: number | null;
  due_in_7_days: number | null;
  due_in_30_days: number | null;
  unassigned_open: number | null;
  oldest_due: number | null;
}

/** Tasks by the state that people see; together they are all that there are. */
export async function countTasks(db: EntityManager, request: StatsRequest) {
  const rows = await findStates(db, request);
  const sum = (field: Exclude<keyof StateRow, "state" | "oldest_due">) =>
    rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  const inState = (state: TaskState) => {
    const row = rows.find((found) => found.state === state);
    return row === undefined ? 0 : row.tasks - (row.overdue ?? 0);
  };
  const overdue = sum("overdue");
  return {
    total: sum("tasks"),
    by_state: {
      scheduled: inState("scheduled"),
      in_progress: inState("in_progress"),
      on_hold: inState("on_hold"),
      overdue,
      completed: inState("completed"),
      cancelled: inState("cancelled"),
    },
    due_today: sum("due_today"),
    due_in_7_days: sum("due_in_7_days"),
    due_in_30_days: sum("due_in_30_days"),
    unassigned_open: sum("unassigned_open"),
    oldest_overdue_days: overdue === 0 ? null : Math.max(...rows.map((row) => row.oldest_due ?? 0)),
  };
}

/** Finished work is most of it, and an index alone tells how much; only open work is looked at. */
async function findStates(db: EntityManager, request: StatsRequest): Promise<StateRow[]> {
  const parameters = createParameters(request.caller.organizationId);
  const today = addToday(request, parameters);
  const counted = `t.organization_id = $1 AND NOT t.hidden
    AND ${isCounted(request, parameters, "t")}`;
  const dueWithin = (days: number) =>
    `count(*) FILTER (WHERE t.due_date BETWEEN ${today} AND ${today} + ${days - 1})::int`;
  return db.query(
    `${customPlan}SELECT * FROM (SELECT t.state, count(*)::int AS tasks FROM maintenance_tasks t
         WHERE ${counted} GROUP BY t.state) stored
     LEFT JOIN (SELECT t.state, count(*) FILTER (WHERE ${isOverdue("t", today)})::int AS overdue,
         ${dueWithin(1)} AS due_today, ${dueWithin(7)} AS due_in_7_days,
         ${dueWithin(30)} AS due_in_30_days,
         count(*) FILTER (WHERE t.assigned_to_user_id IS NULL)::int AS unassigned_open,
         ${today} - min(t.due_date) AS oldest_due
       FROM maintenance_tasks t WHERE ${counted} AND ${isOpen("t")} GROUP BY t.state) open
     USING (state)`,
    parameters.values,
  );
}

import { pick } from "../shared/omit.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { dayIn } from "../shared/dates.js";
import { nextDueDate, openTaskCount, overdueTaskCount } from "../tasks/task-counts.js";
import { orderByUrgency } from "../tasks/task-queries.js";
import { taskRowColumns, taskRowJoins, toTaskRow, type StoredTaskRow } from "../tasks/task-rows.js";
import { isOpen } from "../tasks/task-states.js";

const maxOpenTasks = 5;

/** An asset's open and overdue tasks and its last completion. A retired asset has no open tasks. */
export interface TaskFiguresRow {
  open_tasks: number;
  overdue_tasks: number;
  next_due_date: string | null;
  /** A string, as in JSON. */
  last_completed_at: string | null;
}

const ofAsset = "t.asset_id = $2";

/** Query for one TaskFiguresRow. $1 is the organization, $2 the asset, $3 the day. */
export const taskFiguresSql = `SELECT ${openTaskCount(ofAsset)} AS open_tasks,
     ${overdueTaskCount(ofAsset, "$3")} AS overdue_tasks,
     ${nextDueDate(ofAsset)} AS next_due_date,
     (SELECT max(t.completed_at) FROM maintenance_tasks t
      WHERE t.organization_id = $1 AND ${ofAsset} AND t.state = 'completed') AS last_completed_at`;

export function toTaskFigures(
  { timeZone }: Caller,
  { open_tasks, overdue_tasks, next_due_date, last_completed_at: last }: TaskFiguresRow,
) {
  const last_completed_on = last && dayIn(timeZone, new Date(last));
  return { open_tasks, overdue_tasks, next_due_date, last_completed_on };
}

/**
 * The most urgent open tasks of asset ($2) on a day ($3). Tasks of a retired asset wait until it is
 * restored.
 */
export const openTasksSql = `SELECT ${taskRowColumns} FROM maintenance_tasks t ${taskRowJoins}
  WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")}
  ORDER BY ${orderByUrgency("$3")} LIMIT ${maxOpenTasks}`;

export function toOpenTask(caller: Caller, stored: StoredTaskRow) {
  return pick(
    toTaskRow(stored, todayOf(caller)),
    ...(["id", "task_number", "title", "state", "priority", "due_date", "days_overdue"] as const),
    ...(["due_usage", "assigned_to"] as const),
  );
}

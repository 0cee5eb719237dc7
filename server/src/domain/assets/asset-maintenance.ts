import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { dayIn } from "../values/dates.js";
import { nextDueDate, openTaskCount, overdueTaskCount } from "../tasks/task-counts.js";
import { mostUrgentFirst } from "../tasks/task-queries.js";
import { taskRowColumns, taskRowJoins, toTaskRow, type StoredTaskRow } from "../tasks/task-rows.js";
import { isOpen } from "../tasks/task-states.js";

const maxOpenTasks = 5;

/** How much work waits on an asset, and when the last was done. A retired asset has none waiting. */
export async function findTaskFigures(db: EntityManager, caller: Caller, assetId: string) {
  const ofAsset = "t.asset_id = $2";
  const rows: {
    open_tasks: number;
    overdue_tasks: number;
    next_due_date: string | null;
    last_completed_at: Date | null;
  }[] = await db.query(
    `SELECT ${openTaskCount(ofAsset)} AS open_tasks,
       ${overdueTaskCount(ofAsset, "$3")} AS overdue_tasks,
       ${nextDueDate(ofAsset)} AS next_due_date,
       (SELECT max(t.completed_at) FROM maintenance_tasks t
        WHERE t.organization_id = $1 AND ${ofAsset} AND t.state = 'completed') AS last_completed_at`,
    [caller.organizationId, assetId, todayOf(caller)],
  );
  const { last_completed_at = null, ...figures } = rows[0] ?? {};
  return {
    ...figures,
    last_completed_on: last_completed_at && dayIn(caller.timeZone, last_completed_at),
  };
}

/** The most urgent open tasks of an asset; those of a retired one are waiting for its return. */
export async function findOpenTasks(db: EntityManager, caller: Caller, assetId: string) {
  const rows: StoredTaskRow[] = await db.query(
    `SELECT ${taskRowColumns} FROM maintenance_tasks t ${taskRowJoins}
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")}
     ORDER BY ${mostUrgentFirst} LIMIT ${maxOpenTasks}`,
    [caller.organizationId, assetId],
  );
  const today = todayOf(caller);
  return rows.map((row) => {
    const { id, task_number, title, state, priority, due_date, days_overdue, assigned_to } =
      toTaskRow(row, today);
    return { id, task_number, title, state, priority, due_date, days_overdue, assigned_to };
  });
}

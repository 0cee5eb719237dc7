import type { Tx } from "../../db/database.js";
import type { CalendarCoverage } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { visiblePlaces } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { dueFirst } from "./urgency.js";
import {
  taskRowColumns,
  taskRowJoins,
  toTaskRow,
  type StoredTaskRow,
  type TaskRow,
} from "./task-rows.js";
import { isOpen, isUnfinished } from "./task-states.js";
import { addDays } from "../shared/dates.js";

/** Range that calendar programs poll repeatedly. No one looks further. */
const daysBack = 90;
const daysAhead = 400;
const maxTasks = 1000;

export interface CalendarTask extends TaskRow {
  due_date: string;
  workspace_address: string | null;
  version: number;
  updated_at: Date;
}

type Stored = StoredTaskRow &
  Pick<CalendarTask, "due_date" | "workspace_address" | "version" | "updated_at">;

/**
 * Returns open tasks with a due date that are visible or assigned to the person, earliest first, up
 * to the limit.
 */
export async function findCalendarTasks(
  db: Tx,
  caller: Caller,
  covers: CalendarCoverage,
): Promise<CalendarTask[]> {
  const today = todayOf(caller);
  const parameters = createParameters(caller.organizationId);
  const { add } = parameters;
  const where = `t.organization_id = $1 AND NOT t.hidden AND ${isOpen("t")} AND ${isUnfinished}
    AND ${dueFirst.expression} BETWEEN ${add(addDays(today, -daysBack))}::date
      AND ${add(addDays(today, daysAhead))}::date
    AND ${covers === "all" ? "TRUE" : `t.assigned_to_user_id = ${add(caller.userId)}`}`;
  const sorted = `ORDER BY ${dueFirst.expression}, t.id`;
  const eachPlace = visiblePlaces(caller, parameters, "t", { separately: true });
  const rows = await db.query<Stored>(
    `SELECT ${taskRowColumns}, w.address AS workspace_address, t.version, t.updated_at
     FROM (${eachPlace(
       (place) =>
         `SELECT t.* FROM maintenance_tasks t WHERE ${where} AND ${place} ${sorted} LIMIT ${maxTasks}`,
     )}) t ${taskRowJoins} ${sorted} LIMIT ${maxTasks}`,
    parameters.values,
    { replan: caller.organizationId },
  );
  return rows.map((row) => ({
    ...toTaskRow(row, today),
    due_date: row.due_date,
    workspace_address: row.workspace_address,
    version: row.version,
    updated_at: row.updated_at,
  }));
}

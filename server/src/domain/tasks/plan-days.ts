import type { Tx } from "../../db/database.js";
import { createParameters } from "../../db/parameters.js";
import type { Caller } from "../access/caller.js";
import { visiblePlaces } from "../access/visibility.js";
import { resolveFilters, toConditions, type TaskFilters } from "./task-filters.js";
import {
  taskRowColumns,
  taskRowJoins,
  toTaskRow,
  type StoredTaskRow,
  type TaskRow,
} from "./task-rows.js";
import { priorityPoints, pointsOf } from "./urgency.js";

/** The open work of a day: its first tasks, and the number of all. */
export interface DueDay {
  tasks: TaskRow[];
  count: number;
}

type Filters = Pick<TaskFilters, "workspace_id" | "assigned_to_user_id" | "type">;
type Stored = StoredTaskRow & { due_date: string; count: number };

/**
 * Open work by due date. Lists up to `atMost` tasks of each day, unassigned and urgent ones first,
 * so a crowded day doesn't hide the days after it.
 */
export async function findDueDays(
  db: Tx,
  caller: Caller,
  filters: Filters,
  { from, to, atMost }: { from: string; to: string; atMost: number },
): Promise<Map<string, DueDay>> {
  const days = { due_from: from, due_to: to };
  const resolved = await resolveFilters(db, caller, { ...filters, ...days, state: "open" });
  const parameters = createParameters(caller.organizationId);
  const where = toConditions(caller, resolved, parameters).join(" AND ");
  const eachPlace = visiblePlaces(caller, parameters, "t", { separately: true });
  const rows = await db.query<Stored>(
    `SELECT ${taskRowColumns}, ranked.count
     FROM (SELECT due.id, count(*) OVER (PARTITION BY due.due_date)::int AS count,
         row_number() OVER (PARTITION BY due.due_date ORDER BY due.assigned_to_user_id IS NOT NULL,
           ${pointsOf(priorityPoints, "due.priority")} DESC, due.task_number) AS nth
       FROM (${eachPlace(
         (place) => `SELECT t.id, t.due_date, t.assigned_to_user_id, t.priority, t.task_number
           FROM maintenance_tasks t WHERE ${where} AND ${place}`,
       )}) due) ranked
     JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = ranked.id ${taskRowJoins}
     WHERE ranked.nth <= ${parameters.add(atMost)} ORDER BY t.due_date, ranked.nth`,
    parameters.values,
    { replan: caller.organizationId },
  );
  const found = new Map<string, DueDay>();
  for (const row of rows) {
    const day = found.get(row.due_date) ?? { tasks: [], count: row.count };
    day.tasks.push(toTaskRow(row, resolved.today));
    found.set(row.due_date, day);
  }
  return found;
}

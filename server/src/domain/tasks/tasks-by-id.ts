import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { createParameters } from "../../db/parameters.js";
import { visibleTaskSql } from "../access/visibility.js";
import {
  taskRowColumns,
  taskRowJoins,
  toTaskRow,
  type StoredTaskRow,
  type TaskRow,
} from "./task-rows.js";

export async function findTasksById(
  db: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, TaskRow>> {
  if (ids.length === 0) return new Map();
  const parameters = createParameters(caller.organizationId, ids);
  const rows = await db.query<StoredTaskRow>(
    `SELECT ${taskRowColumns} FROM maintenance_tasks t ${taskRowJoins}
     WHERE t.organization_id = $1 AND t.id = ANY ($2::text[]) AND ${visibleTaskSql(caller, parameters, "t")}`,
    parameters.values,
  );
  const today = todayOf(caller);
  return new Map(rows.map((row) => [row.id, toTaskRow(row, today)]));
}

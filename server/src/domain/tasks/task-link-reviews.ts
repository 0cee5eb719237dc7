import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { isOpen } from "./task-states.js";

/** SQL for the contractor who marked task `t` as done last, in a statement whose $1 is the organization. */
export const doneBySql = `(SELECT l.contractor FROM task_links l
  WHERE l.organization_id = $1 AND l.task_id = t.id AND l.done_at IS NOT NULL AND ${isOpen("t")}
  ORDER BY l.done_at DESC LIMIT 1)`;

/**
 * The contractors who marked open tasks as done, by task id, until someone approves the work or
 * sends it back. The caller must see the tasks.
 */
export async function findDoneBy(
  db: Tx,
  { organizationId }: Caller,
  taskIds: readonly string[],
): Promise<Map<string, string>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db.query<{ id: string; contractor: string | null }>(
    `SELECT t.id, ${doneBySql} AS contractor FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.id = ANY ($2::text[])`,
    [organizationId, taskIds],
  );
  return new Map(
    rows.flatMap(({ id, contractor }) => (contractor === null ? [] : [[id, contractor]])),
  );
}

/** The note of the contractor who marked the task as done last. */
export async function findDoneNote(
  db: Tx,
  { organizationId }: Caller,
  taskId: string,
): Promise<string | undefined> {
  const row = await db.maybe<{ done_note: string }>(
    `SELECT done_note FROM task_links WHERE organization_id = $1 AND task_id = $2
       AND done_at IS NOT NULL ORDER BY done_at DESC LIMIT 1`,
    [organizationId, taskId],
  );
  return row?.done_note;
}

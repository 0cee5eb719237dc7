import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { isOpen } from "./task-states.js";

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
  const rows = await db.query<{ task_id: string; contractor: string }>(
    `SELECT DISTINCT ON (l.task_id) l.task_id, l.contractor FROM task_links l
     JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = l.task_id AND ${isOpen("t")}
     WHERE l.organization_id = $1 AND l.task_id = ANY ($2::text[]) AND l.done_at IS NOT NULL
     ORDER BY l.task_id, l.done_at DESC`,
    [organizationId, taskIds],
  );
  return new Map(rows.map(({ task_id, contractor }) => [task_id, contractor]));
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

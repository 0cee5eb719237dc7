import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";

/** Undoes the acceptance of reports together with their task. They get their photos back. */
export async function reopenReportsOf(
  tx: Tx,
  { organizationId }: Caller,
  taskId: string,
): Promise<void> {
  await tx.query(
    `WITH opened AS (
       UPDATE problem_reports SET status = 'open', task_id = NULL, closed_by = NULL, closed_at = NULL
       WHERE organization_id = $1 AND task_id = $2 RETURNING id)
     UPDATE files SET task_id = NULL
     WHERE organization_id = $1 AND task_id = $2
       AND report_id IN (SELECT r.id FROM problem_reports r JOIN opened o ON o.id IN (r.id, r.merged_into)
         WHERE r.organization_id = $1)`,
    [organizationId, taskId],
  );
}

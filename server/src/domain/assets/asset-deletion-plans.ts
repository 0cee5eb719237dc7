import type { Tx } from "../../db/database.js";
import type { MaintenanceTask } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { storeColumns, toChange } from "../history/differences.js";
import { recordEvent } from "../history/record-events.js";
import { describeRule, endPlan, ruleOf } from "../tasks/task-plans.js";
import { readTaskRecord } from "../tasks/task-record.js";
import { isOpen } from "../tasks/task-states.js";

/**
 * Detaches tasks that were done earlier in another workspace from a plan that continued on this
 * asset. The plan's rule belongs to this workspace. See `planJoin`.
 */
export async function leavePlans(tx: Tx, its: readonly [string, string]): Promise<void> {
  await tx.query(
    `UPDATE maintenance_tasks t SET plan_id = NULL, occurrence = NULL FROM maintenance_tasks newest
     WHERE t.organization_id = $1 AND newest.organization_id = $1 AND newest.asset_id = $2
       AND t.plan_id = newest.plan_id AND t.workspace_id IS DISTINCT FROM newest.workspace_id
       AND NOT EXISTS (SELECT FROM maintenance_tasks later WHERE later.organization_id = $1
         AND later.plan_id = newest.plan_id AND later.occurrence > newest.occurrence)`,
    [...its],
  );
}

/**
 * Ends plans whose next occurrence was on the asset. Finished tasks of other assets then no longer
 * show a recurrence.
 */
export async function endPlansWithoutOpenTask(
  tx: Tx,
  caller: Caller,
  planIds: readonly string[],
): Promise<void> {
  const last = await tx.query<Pick<MaintenanceTask, "id">>(
    `SELECT DISTINCT ON (t.plan_id) t.id FROM maintenance_tasks t
     JOIN maintenance_plans p ON p.organization_id = $1 AND p.id = t.plan_id AND p.active
     WHERE t.organization_id = $1 AND t.plan_id = ANY ($2::text[])
       AND NOT EXISTS (SELECT FROM maintenance_tasks o
         WHERE o.organization_id = $1 AND o.plan_id = t.plan_id AND ${isOpen("o")})
     ORDER BY t.plan_id, t.occurrence DESC`,
    [caller.organizationId, planIds],
  );
  for (const { id } of last) {
    const task = await readTaskRecord(tx, caller, id);
    const { plan_id: planId, asset_id: assetId, workspace_id: workspaceId } = task;
    const rule = ruleOf(task);
    if (planId !== null) await endPlan(tx, caller, planId);
    if (rule === undefined) continue;
    const { at } = await storeColumns(tx, caller, { table: "maintenance_tasks", id }, []);
    await recordEvent(tx, caller, {
      type: "task_updated",
      assetId,
      taskId: id,
      workspaceId,
      occurredAt: at,
      recordedAt: at,
      changes: [toChange("recurrence", describeRule(rule), undefined)],
      bySystem: true,
    });
  }
}

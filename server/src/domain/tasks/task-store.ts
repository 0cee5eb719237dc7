import type { Tx } from "../../db/database.js";
import type { Stored } from "../../db/fields.js";
import {
  MaintenanceTask,
  type plannedFields,
  type StepDefinition,
} from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { recordEvent } from "../history/record-events.js";
import { createId } from "../shared/ids.js";
import type { ProcedureCopy } from "./procedures.js";
import { addChecklist } from "./task-checklists.js";

export interface TaskStart {
  fields: Stored<typeof plannedFields>;
  assetId: string | null;
  workspaceId: string | null;
  assigneeId: string | null;
  checklist: readonly StepDefinition[];
  /** The procedure whose steps are copied. */
  procedure?: Pick<ProcedureCopy, "id" | "version"> | undefined;
  plan?: { id: string; occurrence: number; dueUsage: number | null } | undefined;
  /** True if created by the repetition, not by the caller. */
  bySystem?: boolean;
}

export async function storeNewTask(
  tx: Tx,
  caller: Caller,
  start: TaskStart,
): Promise<{ id: string; number: number }> {
  const { fields, assetId, workspaceId, plan, procedure } = start;
  const id = createId("task");
  const number = await takeNextNumber(tx, caller);
  const [made] = await tx.insert(MaintenanceTask, {
    ...fields,
    id,
    organization_id: caller.organizationId,
    task_number: String(number),
    workspace_id: workspaceId,
    asset_id: assetId,
    plan_id: plan?.id ?? null,
    occurrence: plan?.occurrence ?? null,
    due_usage: plan?.dueUsage ?? null,
    ...(procedure && { procedure_id: procedure.id, procedure_version: procedure.version }),
    assigned_to_user_id: start.assigneeId,
    created_by: caller.userId,
  });
  const at = made?.created_at as Date;
  await addChecklist(tx, caller, id, start.checklist);
  await recordEvent(tx, caller, {
    type: "task_created",
    assetId,
    taskId: id,
    workspaceId,
    occurredAt: at,
    recordedAt: at,
    bySystem: start.bySystem ?? false,
    assigneeId: start.assigneeId,
    entered: start,
  });
  return { id, number };
}

/** The row lock of the update gives every transaction a different number. */
async function takeNextNumber(tx: Tx, caller: Caller): Promise<number> {
  const { number } = await tx.one<{ number: number }>(
    `UPDATE organizations SET next_task_number = next_task_number + 1 WHERE id = $1
     RETURNING (next_task_number - 1)::int AS number`,
    [caller.organizationId],
  );
  return number;
}

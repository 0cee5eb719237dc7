import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { recordEvent } from "../events/record-events.js";
import { createId } from "../values/ids.js";
import { addChecklist } from "./task-checklists.js";
import type { TaskFields } from "../tasks/task-fields.js";

/** Everything a new task starts with. */
export interface TaskStart {
  fields: Pick<
    TaskFields,
    | "title"
    | "description"
    | "type"
    | "priority"
    | "due_date"
    | "estimated_minutes"
    | "requires_downtime"
  >;
  assetId: string | null;
  workspaceId: string | null;
  assigneeId: string | null;
  checklist: readonly string[];
  /** Which occurrence of a plan it is. */
  plan?: { id: string; occurrence: number };
  /** Made by the repetition, not by the caller. */
  bySystem?: boolean;
}

/** Stores a scheduled task under the organization's next number, with its history. */
export async function storeNewTask(
  tx: EntityManager,
  caller: Caller,
  start: TaskStart,
): Promise<{ id: string; number: number }> {
  const { fields, assetId, workspaceId, plan } = start;
  const id = createId("task");
  const number = await takeNextNumber(tx, caller);
  const rows: { created_at: Date }[] = await tx.query(
    `INSERT INTO maintenance_tasks (id, organization_id, task_number, workspace_id, asset_id,
       plan_id, occurrence, title, description, type, priority, due_date, assigned_to_user_id,
       estimated_minutes, requires_downtime, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     RETURNING created_at`,
    [
      id,
      caller.organizationId,
      number,
      workspaceId,
      assetId,
      plan?.id ?? null,
      plan?.occurrence ?? null,
      fields.title,
      fields.description,
      fields.type,
      fields.priority,
      fields.due_date,
      start.assigneeId,
      fields.estimated_minutes,
      fields.requires_downtime,
      caller.userId,
    ],
  );
  const at = rows[0]?.created_at;
  if (at === undefined) throw new Error("The new task was not stored.");
  await addChecklist(tx, caller, id, start.checklist);
  await recordEvent(tx, caller, {
    type: "task_created",
    assetId,
    taskId: id,
    workspaceId,
    occurredAt: at,
    recordedAt: at,
    bySystem: start.bySystem ?? false,
  });
  return { id, number };
}

/** The row lock of the update gives every transaction a number of its own. */
async function takeNextNumber(tx: EntityManager, caller: Caller): Promise<number> {
  const [rows]: [{ number: number }[], number] = await tx.query(
    `UPDATE organizations SET next_task_number = next_task_number + 1 WHERE id = $1
     RETURNING (next_task_number - 1)::int AS number`,
    [caller.organizationId],
  );
  const number = rows[0]?.number;
  if (number === undefined) throw new Error(`The organization ${caller.organizationId} is gone.`);
  return number;
}

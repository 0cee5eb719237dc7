import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { dayIn } from "../values/dates.js";
import type { Change } from "../events/record-events.js";
import { omit } from "../values/omit.js";
import type { WorkspaceRef } from "../access/roles.js";
import { toTaskNumber } from "../references/task-references.js";
import { readSteps } from "./task-checklists.js";
import type { TaskRecord } from "../tasks/task-record.js";
import { isOpen } from "../tasks/task-states.js";
import type { TaskUpdate } from "./task-update-rules.js";

export function findOverdueWarning(dueDate: string | null, today: string): string[] {
  if (dueDate === null || dueDate >= today) return [];
  return [`The task is already overdue: due_date ${dueDate} lies before today, ${today}.`];
}

/** Names an open task with the same title on the same asset, or on the same place. */
export async function findDuplicateTitleWarning(
  tx: EntityManager,
  caller: Caller,
  title: string,
  { asset, place }: { asset: { id: string } | null; place: WorkspaceRef },
): Promise<string[]> {
  const on = asset === null ? "t.asset_id IS NULL AND t.workspace_id = $3" : "t.asset_id = $3";
  const rows: { task_number: number }[] = await tx.query(
    `SELECT t.task_number::int AS task_number FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND lower(t.title) = lower($2) AND ${on} AND ${isOpen("t")}
     ORDER BY t.task_number LIMIT 1`,
    [caller.organizationId, title, asset?.id ?? place?.id],
  );
  const duplicate = rows[0];
  if (duplicate === undefined) return [];
  return [
    `${toTaskNumber(duplicate.task_number)} is open with the same title. Check that this is not the same work twice.`,
  ];
}

/** The asset follows when work begins or ends, not when its need for downtime changes between. */
export function findDowntimeWarning(before: TaskRecord, task: TaskRecord): string[] {
  const changes = before.requires_downtime !== task.requires_downtime;
  if (!changes || before.state !== "in_progress" || task.state !== "in_progress") return [];
  return [
    "The work runs already, so the asset stays as it is: requires_downtime counts from the next start.",
  ];
}

/** Completing what is completed only changes what was written down about it. */
export function findRecordWarning(
  caller: Caller,
  before: TaskRecord,
  { state }: TaskUpdate,
  changed: Change[],
): string[] {
  if (state !== "completed" || before.completed_at === null || changed.length === 0) return [];
  const day = dayIn(caller.timeZone, before.completed_at);
  return [`The task was completed already on ${day}; only the record of it was changed.`];
}

/** Counts the steps that were left when the work was completed. */
export async function findStepsWarning(
  tx: EntityManager,
  caller: Caller,
  before: TaskRecord,
  task: TaskRecord,
): Promise<string[]> {
  if (before.state === "completed" || task.state !== "completed") return [];
  const steps = await readSteps(tx, caller, task.id);
  const open = steps.filter(({ done }) => !done).length;
  if (open === 0) return [];
  return [`${open} of ${steps.length} steps ${open === 1 ? "is" : "are"} not ticked.`];
}

/** Says when an update asked for nothing that is not there already; a note alone is no such case. */
export function findUnchangedWarning(
  before: TaskRecord,
  update: TaskUpdate,
  changed: Change[],
): string[] {
  const { note } = update;
  const asked = Object.values(omit(update, "note", "expected_version"));
  if (changed.length > 0 || asked.every((value) => value === undefined)) return [];
  const already =
    update.state === undefined
      ? "the task has these values already"
      : `the task is already ${before.state}`;
  return [`Nothing changed: ${already}.${note === undefined ? "" : " The note was kept."}`];
}

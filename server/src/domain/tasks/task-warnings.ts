import type { Tx } from "../../db/database.js";
import { completionFields } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { readAssetRecord } from "../assets/asset-record.js";
import { dayIn } from "../shared/dates.js";
import { findSameValuesWarning } from "../history/differences.js";
import type { Warning } from "../shared/warnings.js";
import type { Change } from "../history/record-events.js";
import type { WorkspaceRef } from "../access/roles.js";
import { toTaskNumber } from "../shared/task-references.js";
import { findStop, type Step } from "./checklist-steps.js";
import { projectDues } from "./next-due-date.js";
import { isNewest, ruleOf } from "./task-plans.js";
import type { TaskRecord } from "./task-record.js";
import { isOpen, isOpenState } from "./task-states.js";
import type { TaskUpdate } from "./task-update-rules.js";

export function findOverdueWarning(dueDate: string | null, today: string): Warning[] {
  if (dueDate === null || dueDate >= today) return [];
  return [{ key: "overdue_already", due: dueDate, today }];
}

const named = 3;

/** If a repetition counts from the due date, moving the open occurrence moves later ones. */
export async function findSeriesWarning(
  tx: Tx,
  caller: Caller,
  before: TaskRecord,
  { task, today }: { task: TaskRecord; today: string },
): Promise<Warning[]> {
  const { due_date: from } = before;
  const { due_date: to } = task;
  const [old, rule] = [ruleOf(before), ruleOf(task)];
  if (from === null || to === null || from === to || old === undefined) return [];
  if (rule?.anchor !== "due_date" || !isOpenState(task.state)) return [];
  const dues = projectDues(rule, to, { today, count: named });
  const follows = dues[0] !== projectDues(old, from, { today, count: named })[0];
  if (!follows || dues.length === 0 || !(await isNewest(tx, caller, task))) return [];
  return [{ key: "series_moved", dues }];
}

/** Others need to know why work waits. */
export function findHoldWarning(
  before: TaskRecord,
  task: TaskRecord,
  { comment, note }: TaskUpdate,
): Warning[] {
  const isHeld = task.state === "on_hold" && before.state !== "on_hold";
  return isHeld && (comment ?? note) === undefined ? [{ key: "hold_unexplained" }] : [];
}

/** Names an open task with an equal title on the asset or place. */
export async function findDuplicateTitleWarning(
  tx: Tx,
  caller: Caller,
  title: string,
  { asset, place }: { asset: { id: string } | null; place: WorkspaceRef },
): Promise<Warning[]> {
  const on = asset === null ? "t.asset_id IS NULL AND t.workspace_id = $3" : "t.asset_id = $3";
  const rows = await tx.query<{ task_number: number }>(
    `SELECT t.task_number::int AS task_number FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND lower(t.title) = lower($2) AND ${on} AND ${isOpen("t")}
     ORDER BY t.task_number LIMIT 1`,
    [caller.organizationId, title, asset?.id ?? place?.id],
  );
  return rows.map(({ task_number: number }) => ({
    key: "same_title",
    task_number: toTaskNumber(number),
  }));
}

/**
 * The asset's state changes when work begins or ends. It doesn't follow changes to the need for
 * downtime in between.
 */
export function findDowntimeWarning(before: TaskRecord, task: TaskRecord): Warning[] {
  const changes = before.requires_downtime !== task.requires_downtime;
  if (!changes || before.state !== "in_progress" || task.state !== "in_progress") return [];
  return [{ key: "downtime_from_next_start" }];
}

/**
 * Completing work doesn't put an asset back into use that someone took out of service. Not needed
 * if another warning said so.
 */
export async function findDownWarning(
  tx: Tx,
  caller: Caller,
  { state, asset_id: id }: TaskRecord,
  overruled: readonly Warning[],
): Promise<Warning[]> {
  if (state !== "completed" || id === null || overruled.length > 0) return [];
  const asset = await readAssetRecord(tx, caller, id);
  return asset.state === "out_of_service" ? [{ key: "asset_still_down" }] : [];
}

/** A failed step took the asset out of service, although the person answered that it can be used. */
export function findOverruledWarning(
  { asset_state: answer }: TaskUpdate,
  steps: readonly Step[],
): Warning[] {
  const stop = findStop(steps);
  if (stop === undefined || answer === undefined || answer === "out_of_service") return [];
  return [{ key: "usable_overruled", number: stop.position, label: stop.label }];
}

/** Completing a completed task only changes its record. */
export function findRecordWarning(
  caller: Caller,
  before: TaskRecord,
  { state }: TaskUpdate,
  changed: Change[],
): Warning[] {
  if (state !== "completed" || before.completed_at === null || changed.length === 0) return [];
  return [{ key: "completed_already", day: dayIn(caller.timeZone, before.completed_at) }];
}

/** Warns that cancelled work has a record of work done. */
export function findCancelledWarning(task: TaskRecord, changed: Change[]): Warning[] {
  const fields = changed
    .filter(({ field, to }) => field in completionFields && to !== undefined && to !== null)
    .map(({ field }) => field);
  const isRecorded = task.state === "cancelled" && fields.length > 0;
  return isRecorded ? [{ key: "cancelled_with_record", fields }] : [];
}

/** Counts the open steps of completed work. */
export function findStepsWarning(steps: readonly Step[]): Warning[] {
  const open = steps.filter(({ done_at }) => done_at === null).length;
  if (open === 0) return [];
  return [{ key: "steps_left", open, total: steps.length }];
}

/** Warns if an update changed nothing. */
export function findUnchangedWarning(
  before: TaskRecord,
  update: TaskUpdate,
  changed: Change[],
): Warning[] {
  if (update.state === undefined) return findSameValuesWarning("task", update, changed);
  if (changed.length > 0) return [];
  return [{ key: "task_is_so", state: before.state, note: update.note !== undefined }];
}

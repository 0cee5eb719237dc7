import type { Tx } from "../../db/database.js";
import type { HistoryEventType } from "../../db/entities/history.js";
import { completionFields, type TaskState } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { toTimestamp } from "../shared/dates.js";
import {
  addChanges,
  compareField,
  compareLink,
  createComparison,
  recordComparison,
  toChange,
  toNamed,
  type Comparison,
} from "../history/differences.js";
import type { Named } from "../shared/refusals.js";
import type { Change } from "../history/record-events.js";
import { workspaceRefOf, type WorkspaceRef } from "../access/roles.js";
import type { TaskFields } from "./task-fields.js";
import { compareProcedure } from "./change-procedure.js";
import type { ProcedureCopy } from "./procedures.js";
import { changeTaskRecord, type TaskRecord } from "./task-record.js";
import type { RepetitionChange } from "./change-repetition.js";
import type { StepsChange } from "./task-checklists.js";
import { takeSnapshot } from "./task-snapshots.js";
import { finishedAt, followState } from "./task-transitions.js";

export interface TaskDifference {
  fields: Partial<TaskFields>;
  /** Undefined leaves the work on its asset or place. */
  asset?: Named | undefined;
  place: WorkspaceRef;
  /** Undefined leaves the assignee unchanged. Null unassigns. */
  assignee?: Named | null;
  /** Undefined keeps the procedure. Null leaves the steps without one. */
  procedure?: ProcedureCopy | null | undefined;
  state: TaskState;
  completedAt: Date | undefined;
  /** When the person made the change, if it is stored later. */
  madeAt?: Date;
  /** Changes stored outside the task: finished steps, and the repeat rule with its columns. */
  checklist: StepsChange;
  repetition: RepetitionChange;
}

/** Fields that belong to a completion. In other updates they are ordinary fields. */
const toldOfCompletion = new Set([...Object.keys(completionFields), "currency"]);

/**
 * Stores the changes to a locked task, records history, and returns the changes and the task after
 * them. If nothing changes, a note still creates an event, and the version stays.
 */
export async function storeTaskChange(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  difference: TaskDifference,
  note: string | undefined,
): Promise<{ changed: Change[]; after: TaskRecord }> {
  const at = difference.state === task.state ? undefined : await momentOf(tx);
  const { columns, events } = compare(caller, task, difference, at);
  if (events.size === 0) {
    if (note === undefined) return { changed: [], after: task };
    events.set("note_added", []);
  }
  const isNote = events.has("note_added");
  const after = isNote ? task : await changeTaskRecord(tx, caller, task.id, columns);
  const recordedAt = isNote ? await momentOf(tx) : after.updated_at;
  const { completedAt = recordedAt } = difference;
  const changed = await recordComparison(tx, caller, events, note, (type) => ({
    assetId: difference.asset?.id ?? task.asset_id,
    taskId: task.id,
    workspaceId: difference.place?.id ?? null,
    occurredAt: type === "task_completed" ? completedAt : recordedAt,
    recordedAt,
    ...takeSnapshot(task, events.get(type) ?? [], difference.checklist),
  }));
  return { changed, after };
}

function compare(
  caller: Caller,
  task: TaskRecord,
  difference: TaskDifference,
  at: Date | undefined,
): Comparison {
  const comparison = createComparison();
  const { fields, asset, place, assignee, procedure, checklist, repetition } = difference;
  const ofCompletion = compareState(caller, comparison, task, difference, at);
  compareLink(comparison, "task_updated", {
    idField: "asset_id",
    nameField: "asset_name",
    before: toNamed(task.asset_id, task.asset_name),
    after: asset,
  });
  compareLink(comparison, "task_updated", {
    idField: "workspace_id",
    nameField: "workspace_name",
    before: workspaceRefOf(task),
    after: place,
  });
  compareLink(comparison, "task_updated", {
    idField: "assigned_to_user_id",
    nameField: "assigned_to",
    before: toNamed(task.assigned_to_user_id, task.assigned_to),
    after: assignee,
  });
  compareProcedure(comparison, task, procedure);
  for (const [field, value] of Object.entries(fields)) {
    const type = toldOfCompletion.has(field) ? ofCompletion : "task_updated";
    compareField(comparison, type, field, [task[field as keyof TaskFields], value]);
  }
  addChanges(comparison, ofCompletion, checklist.changes);
  comparison.columns.push(...repetition.columns);
  addChanges(comparison, "task_updated", repetition.changes);
  return comparison;
}

/** Returns the event type for the record of the work. `at` is the time of a change of state. */
function compareState(
  caller: Caller,
  comparison: Comparison,
  task: TaskRecord,
  { state, completedAt, madeAt }: TaskDifference,
  at: Date | undefined,
): HistoryEventType {
  if (at === undefined) {
    correctCompletion(comparison, task, completedAt);
    return "task_updated";
  }
  const type = eventTypeOf(state);
  const completes = state === "completed";
  comparison.columns.push(...followState(task, state, { at: madeAt ?? at, completedAt }));
  if (completes) comparison.columns.push(["completed_by", caller.userId]);
  addChanges(comparison, type, [toChange("state", task.state, state)]);
  const before = task.completed_at === null ? undefined : toTimestamp(task.completed_at);
  const after = completes ? toTimestamp(completedAt ?? at) : undefined;
  if (before !== after) addChanges(comparison, type, [toChange("completed_at", before, after)]);
  return completes ? type : "task_updated";
}

/** Responses have times to the second, so an equal second means no change. */
function correctCompletion(
  comparison: Comparison,
  task: TaskRecord,
  completedAt: Date | undefined,
): void {
  if (completedAt === undefined || task.completed_at === null) return;
  const before = toTimestamp(task.completed_at);
  const after = toTimestamp(completedAt);
  if (before === after) return;
  comparison.columns.push(...finishedAt(task, completedAt));
  addChanges(comparison, "task_updated", [toChange("completed_at", before, after)]);
}

export function eventTypeOf(state: TaskState): HistoryEventType {
  if (state === "completed") return "task_completed";
  return state === "cancelled" ? "task_cancelled" : "task_state_changed";
}

import type { Tx } from "../../db/database.js";
import type { Warning } from "../shared/warnings.js";
import type { AssetState } from "../../db/entities/assets.js";
import { taskFields } from "../../db/entities/tasks.js";
import type { Stored } from "../../db/fields.js";
import { addComment } from "../comments/change-comments.js";
import { findLostAssignee, getAssignee } from "../shared/assignees.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { validateUpdate } from "../history/validate-update.js";
import { createRedactor } from "../history/redact-changes.js";
import type { Change } from "../history/record-events.js";
import { rejectNonePlaceholder } from "../shared/none-placeholder.js";
import { workspaceRefOf, requireRoleIn, type WorkspaceRef } from "../access/roles.js";
import { toTaskSummary, type TaskSummary } from "./task-answers.js";
import { isOpenState } from "./task-states.js";
import { findStop, type Step } from "./checklist-steps.js";
import { followAnswers, takeOutOfService } from "./follow-answers.js";
import { changeSteps, readSteps, requireAnswers, type StepsChange } from "./task-checklists.js";
import { storeTaskChange, type TaskDifference } from "./task-differences.js";
import { syncAssetState } from "./task-downtime.js";
import { cleanFields, clearedFields } from "../shared/clean-fields.js";
import { findNewProcedure } from "./change-procedure.js";
import { hasCost, type TaskFields } from "./task-fields.js";
import { createNextTask, type NextTask } from "./create-next-task.js";
import { readTaskRecord, type TaskRecord } from "./task-record.js";
import { getAssetId, lockAssets } from "../shared/asset-references.js";
import { lockAssetRecord, readAssetRecord } from "../assets/asset-record.js";
import { storeAssetState } from "../assets/store-asset-state.js";
import { getTaskId, toTaskNumber } from "../shared/task-references.js";
import { changeRepetition } from "./change-repetition.js";
import {
  checkMove,
  checkRules,
  toCompletedAt,
  type ClearableField,
  type TaskUpdate,
} from "./task-update-rules.js";
import {
  findDowntimeWarning,
  findDownWarning,
  findHoldWarning,
  findOverdueWarning,
  findCancelledWarning,
  findOverruledWarning,
  findRecordWarning,
  findSeriesWarning,
  findStepsWarning,
  findUnchangedWarning,
} from "./task-warnings.js";
import { cleanNote } from "../shared/text.js";
import { checkVersion } from "../history/versions.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { lockMembers } from "../../db/locks.js";

export type { TaskUpdate } from "./task-update-rules.js";

export interface TaskChange {
  task: TaskSummary;
  changed: Change[];
  next_task?: NextTask;
  asset_state?: AssetState;
  warnings: Warning[];
}

/**
 * Changes a task, its state or its completion record. Omitted fields are unchanged. Without
 * `needsAnswers`, required steps of completed work may be open, as in the record of an import.
 * Without `notifies`, a comment notifies no one.
 */
export async function updateTask(
  tx: Tx,
  caller: Caller,
  reference: string,
  update: TaskUpdate,
  { needsAnswers = true, notifies = true } = {},
): Promise<TaskChange> {
  const cleaned = cleanTaskUpdate(caller, update);
  const id = await lockTask(tx, caller, reference, update);
  const task = await readTaskRecord(tx, caller, id);
  const checked = await checkTaskUpdate(tx, caller, task, update, cleaned);

  const { cleared, given, note } = cleaned;
  const { completedAt, procedure } = checked;
  const assetId = checked.asset === undefined ? task.asset_id : checked.asset.id;
  const difference: TaskDifference = {
    ...checked,
    ...(update.made_at !== undefined && { madeAt: new Date(update.made_at) }),
    checklist: await changeSteps(tx, caller, { id, assetId, procedure }, update),
    repetition: await changeRepetition(tx, caller, task, {
      recurrence: cleared.has("recurrence") ? null : update.recurrence,
      dueDate: given.due_date === undefined ? task.due_date : given.due_date,
      assetId,
    }),
  };
  const warnings = await dropAssignee(tx, caller, task, difference);
  const isCompleted = difference.state === "completed" && task.state !== "completed";
  const steps = isCompleted ? await readSteps(tx, caller, id) : [];
  if (needsAnswers) requireAnswers(steps);
  const stored = await storeTaskChange(tx, caller, task, difference, note);
  const seen = await storeSeenState(tx, caller, task, update.asset_state, steps);
  if (update.comment !== undefined) {
    const { asset_id: assetId, workspace_id: workspaceId } = stored.after;
    const subject = { kind: "task", id, assetId, workspaceId } as const;
    const { text, warnings: missed } = await addComment(tx, caller, subject, update.comment, {
      notifies,
    });
    warnings.push(...missed);
    stored.changed.push({ field: "comment", to: text });
  }
  const { checklist } = difference;
  const done = { ...stored, update, completedAt, warnings, checklist, steps, seen };
  return describeChange(tx, caller, task, done);
}

/** Locks the task, after the records that the update may change too. */
async function lockTask(
  tx: Tx,
  caller: Caller,
  reference: string,
  update: TaskUpdate,
): Promise<string> {
  // An answer can be a reading, which can make any amount of work due.
  if (update.checklist_answers !== undefined) await lockMembers(tx, caller.organizationId);
  const changesState = (update.asset_state ?? "same") !== "same";
  if (update.asset_id !== undefined || changesState) {
    const assets =
      update.asset_id === undefined ? [] : [await getAssetId(tx, caller, update.asset_id)];
    await lockAssets(tx, caller, { assets, tasks: [await getTaskId(tx, caller, reference)] });
  }
  return getTaskId(tx, caller, reference, { lock: true });
}

interface CleanedUpdate {
  cleared: Set<ClearableField>;
  given: Partial<Stored<typeof taskFields>>;
  note: string | undefined;
  completedAt: Date | undefined;
}

export function cleanTaskUpdate(caller: Caller, update: TaskUpdate): CleanedUpdate {
  const cleared = validateUpdate(update);
  rejectNonePlaceholder({ assigned_to_user_id: update.assigned_to_user_id }, "clear");
  rejectNonePlaceholder({ workspace_id: update.workspace_id }, "name place");
  const given = { ...cleanFields(taskFields, update), ...clearedFields(taskFields, cleared) };
  const note = cleanNote(update.note);
  return { cleared, given, note, completedAt: toCompletedAt(caller, update.completed_at) };
}

/** Validates a task update by all rules, except its steps and repetition. Stores nothing. */
export async function checkTaskUpdate(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  update: TaskUpdate,
  { cleared, given, completedAt } = cleanTaskUpdate(caller, update),
): Promise<Omit<TaskDifference, "checklist" | "repetition">> {
  const { asset, place } = await findNewSite(tx, caller, task, update);
  const assignee = await findAssignee(tx, caller, update, { place, cleared });
  await requireRoleIn(tx, caller, workspaceRefOf(task), "member", "edit tasks");
  if (goesElsewhere(task, place)) {
    await requireRoleIn(tx, caller, place, "member", "move tasks");
  }
  await checkVersion(tx, caller, { kind: "task", ...task }, update.expected_version);
  const state = checkRules(task, update, cleared);
  const procedure = await findNewProcedure(tx, caller, task, update, cleared);
  const fields = withCurrency(caller, task, given);
  const assigned = assignee !== undefined && { assignee };
  return { fields, asset, place, ...assigned, procedure, state, completedAt };
}

interface Done {
  update: TaskUpdate;
  changed: Change[];
  after: TaskRecord;
  completedAt: Date | undefined;
  warnings: Warning[];
  checklist: StepsChange;
  /** The steps of completed work. */
  steps: readonly Step[];
  /** The asset's new state, which the person stated. */
  seen: AssetState | undefined;
}

async function storeSeenState(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  answer: TaskUpdate["asset_state"],
  steps: readonly Step[],
): Promise<AssetState | undefined> {
  if (answer === undefined) return undefined;
  if (findStop(steps) !== undefined) {
    return (await takeOutOfService(tx, caller, task, steps)) ? "out_of_service" : undefined;
  }
  if (answer === "same" || task.asset_id === null) return undefined;
  const asset = await readAssetRecord(tx, caller, task.asset_id);
  if (asset.state === answer) return undefined;
  await storeAssetState(tx, caller, asset, {
    state: answer,
    note: toTaskNumber(task.task_number),
  });
  return answer;
}

/** Applies the consequences for asset and repetition, and builds the response. */
async function describeChange(
  tx: Tx,
  caller: Caller,
  before: TaskRecord,
  { update, changed, after: task, completedAt, warnings, checklist, steps, seen }: Done,
): Promise<TaskChange> {
  const synced = await syncAssetState(tx, caller, task, { before: before.state, completedAt });
  const followed = await followAnswers(tx, caller, task, checklist);
  const assetState = followed.assetState ?? synced ?? seen;
  const ended = isOpenState(before.state) && !isOpenState(task.state);
  const next = ended ? await createNextTask(tx, caller, task) : { warnings: [] };
  const hide = await createRedactor(tx, caller, changed);
  const overruled = findOverruledWarning(update, steps);
  const today = todayOf(caller);
  return {
    task: toTaskSummary(caller, task, today),
    changed: hide(changed),
    ...("next" in next && { next_task: next.next }),
    ...(assetState !== undefined && { asset_state: assetState }),
    warnings: [
      ...followed.warnings,
      ...overruled,
      ...warnings,
      ...(update.due_date !== undefined && isOpenState(task.state)
        ? findOverdueWarning(task.due_date, today)
        : []),
      ...(update.recurrence === undefined
        ? await findSeriesWarning(tx, caller, before, { task, today })
        : []),
      ...findHoldWarning(before, task, update),
      ...findDowntimeWarning(before, task),
      ...findRecordWarning(caller, before, update, changed),
      ...findCancelledWarning(task, changed),
      ...findStepsWarning(steps),
      ...(ended && assetState === undefined
        ? await findDownWarning(tx, caller, task, overruled)
        : []),
      ...next.warnings,
      ...findUnchangedWarning(before, update, changed),
    ],
  };
}

/** A cost always has a currency. The first cost gets the organization's. */
function withCurrency(
  caller: Caller,
  task: TaskRecord,
  fields: Partial<TaskFields>,
): Partial<TaskFields> {
  if (task.currency !== null || !hasCost(fields)) return fields;
  return { ...fields, currency: caller.currency };
}

async function findNewSite(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { asset_id, workspace_id }: TaskUpdate,
): Promise<Pick<TaskDifference, "asset" | "place">> {
  if (asset_id !== undefined) {
    const asset = await lockAssetRecord(tx, caller, asset_id);
    if (asset.id !== task.asset_id) checkMove(task, asset);
    return { asset, place: workspaceRefOf(asset) };
  }
  if (workspace_id === undefined || task.asset_id !== null) return { place: workspaceRefOf(task) };
  return { place: await getWorkspace(tx, caller, workspace_id, "workspace_id", { lock: true }) };
}

function goesElsewhere(task: TaskRecord, place: WorkspaceRef): boolean {
  return (place?.id ?? null) !== task.workspace_id;
}

async function findAssignee(
  tx: Tx,
  caller: Caller,
  update: TaskUpdate,
  { place, cleared }: { place: WorkspaceRef; cleared: Set<ClearableField> },
): Promise<TaskDifference["assignee"]> {
  if (cleared.has("assigned_to_user_id")) return null;
  if (update.assigned_to_user_id === undefined) return undefined;
  return getAssignee(tx, caller, update.assigned_to_user_id, place);
}

/** Work that moves or reopens loses an assignee who left or can't see the new place. */
export async function findLostByMove(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { place, state }: Pick<TaskDifference, "place" | "state">,
): Promise<Warning | undefined> {
  const reopens = !isOpenState(task.state) && isOpenState(state);
  if (!reopens && !goesElsewhere(task, place)) return undefined;
  return findLostAssignee(tx, caller, task, place);
}

async function dropAssignee(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  difference: TaskDifference,
): Promise<Warning[]> {
  if (difference.assignee !== undefined) return [];
  const lost = await findLostByMove(tx, caller, task, difference);
  if (lost === undefined) return [];
  difference.assignee = null;
  return [lost];
}

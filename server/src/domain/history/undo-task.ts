import { isDeepStrictEqual } from "node:util";
import { taskFields, type TaskState } from "../../db/entities/tasks.js";
import { plainFields, startValue } from "../../db/fields.js";
import { requireRoleIn, workspaceRefOf } from "../access/roles.js";
import { readAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { getAssetId } from "../shared/asset-references.js";
import { getAssignee } from "../shared/assignees.js";
import { getTaskId, toTaskNumber } from "../shared/task-references.js";
import { getWorkspace } from "../shared/workspace-references.js";
import {
  answerField,
  findByKey,
  isStepsField,
  recordedAnswer,
  recordedSteps,
  type Step,
  type StepsRestoration,
} from "../tasks/checklist-steps.js";
import { finishedChecks, readSteps } from "../tasks/task-checklists.js";
import { getProcedure } from "../tasks/procedures.js";
import { forgetFormerState } from "../tasks/task-downtime.js";
import { restoreTask, type Snapshot, type TaskRestoration } from "../tasks/restore-task.js";
import { refuseRetired } from "../tasks/task-update-rules.js";
import { findLostByMove } from "../tasks/task-updates.js";
import { snapshotColumns, type TaskSnapshot } from "../tasks/task-snapshots.js";
import { isOpenState } from "../tasks/task-states.js";
import { reopenReportsOf } from "../reports/reopen-reports.js";
import { costs } from "../tasks/task-fields.js";
import { describeRule, isNewest, ruleOf } from "../tasks/task-plans.js";
import { readTaskRecord, type TaskRecord } from "../tasks/task-record.js";
import { showUsage } from "../tasks/task-usage.js";
import { toTimestamp } from "../shared/dates.js";
import { pick } from "../shared/omit.js";
import {
  findRestorations,
  placeFirst,
  type PastEvent,
  type RestoredField,
} from "./past-changes.js";
import {
  findBuilder,
  orConflict,
  toConflicts,
  type Conflict,
  type Undoing,
  type Undone,
} from "./outcomes.js";
import { withCurrencyOfCosts } from "./cost-currency.js";
import {
  hasOtherInPlace,
  hasPlace,
  keepFirstDay,
  requireMeterThere,
  settleLeftRule,
  settleRepetition,
  withEndOfPlan,
} from "./undo-repetition.js";

export async function undoTask(undoing: Undoing): Promise<Undone> {
  const { tx, caller, subject, isApplied } = undoing;
  const conflicts: Conflict[] = [];
  const done = { subject, name: "", changes: [], isRemoved: false, conflicts };
  const id = await orConflict(conflicts, undefined, () =>
    getTaskId(tx, caller, subject.id, { lock: isApplied }),
  );
  if (id === undefined) return done;
  const task = await readTaskRecord(tx, caller, id);
  const name = nameOfTask(task);
  await orConflict(conflicts, undefined, () =>
    requireRoleIn(tx, caller, workspaceRefOf(task), "member", "edit tasks"),
  );
  if (conflicts.length > 0) return { ...done, name };
  const outcome = subject.isCreated
    ? await undoCreation(undoing, task)
    : await restore(undoing, task);
  if (isApplied && outcome.isRemoved) await reopenReportsOf(tx, caller, id);
  return { ...done, name, ...outcome };
}

export function nameOfTask({ task_number: number, title }: TaskRecord): string {
  return `${toTaskNumber(number)} ${title}`;
}

type Outcome = Pick<Undone, "changes" | "isRemoved" | "conflicts">;
const nothing: Outcome = { changes: [], isRemoved: false, conflicts: [] };

/**
 * Cancels a new task, unless someone has worked on it. A task created by a recurrence leaves its
 * plan, and the previous occurrence can then create the next one again.
 */
async function undoCreation(undoing: Undoing, task: TaskRecord): Promise<Outcome> {
  const { tx, caller, subject, isApplied } = undoing;
  const isLater = (task.occurrence ?? 1) > 1;
  if (task.state === "cancelled" && !isLater) return nothing;
  const by = findBuilder(subject.events);
  if (by !== undefined) return { ...nothing, conflicts: [{ by }] };
  const ended = {
    ...pick(task, ...snapshotColumns),
    state: "cancelled",
    completed_at: null,
    completed_by_user_id: null,
    cancelled_at: new Date(),
    asset_state_before: null,
  };
  const first = subject.events.find(({ before }) => before?.["task"] !== undefined);
  const { task: atFirst = ended } = (first?.before ?? {}) as TaskSnapshot;
  const conflicts: Conflict[] = [];
  const left = isLater ? await settleLeftRule(undoing, task, atFirst, conflicts) : ended;
  const plan = isLater
    ? { ...left, plan_id: null, occurrence: null }
    : { ...ended, plan_active: false };
  await restoreTask(tx, caller, task, {
    isApplied,
    fields: {},
    place: workspaceRefOf(task),
    ...(task.state !== "cancelled" && { state: { ...ended, plan_active: null } }),
    // Later work by others keeps repeating.
    ...((await isNewest(tx, caller, task)) && { repetition: plan }),
  });
  return { ...nothing, isRemoved: true, conflicts };
}

async function restore(undoing: Undoing, task: TaskRecord): Promise<Outcome> {
  const { tx, caller, subject, isApplied } = undoing;
  const steps = await readSteps(tx, caller, task.id);
  const { restored, kept } = findRestorations(subject.events, (field) =>
    presentOf(task, steps, field),
  );
  const conflicts = toConflicts(kept, subject.events).filter(
    // Later occurrences, which are undone first, may have changed the rule too. The due usage also
    // changes with its rule, its asset and the first reading.
    ({ field, by }) =>
      by !== undefined || (field !== "due_usage" && (isApplied || field !== "recurrence")),
  );
  const roundTrip = findRoundTrip(subject.events, task);
  const all = roundTrip === undefined ? restored : [...restored, roundTrip];
  const completed = withCompletion(task, all, conflicts);
  const movable = withoutMoveOfBegun(task, subject.events, completed, conflicts);
  const due = withoutDueOfReached(undoing, task, withoutDueOfFinished(task, movable, conflicts));
  const priced = withCurrencyOfCosts(due, conflicts, {
    costs,
    presentOf: (field) => presentOf(task, steps, field),
  });
  const restoration = await toRestoration(undoing, task, { restored: priced, conflicts });
  if (isApplied && restoration.assignee === undefined) {
    const { place, state: before = task } = restoration;
    const state = before.state as TaskState;
    const lost = await findLostByMove(tx, caller, task, { place, state });
    if (lost !== undefined) restoration.assignee = null;
  }
  const changes = await restoreTask(tx, caller, task, { ...restoration, isApplied });
  if (isApplied) await forgetFormerState(tx, caller, task.id);
  return { ...nothing, changes, conflicts };
}

/**
 * Work that others have started or ended since the move stays on the asset whose states and costs
 * include it.
 */
function withoutMoveOfBegun(
  task: TaskRecord,
  events: readonly PastEvent[],
  restored: readonly RestoredField[],
  conflicts: Conflict[],
): readonly RestoredField[] {
  const find = (name: string) => restored.find(({ field }) => field === name);
  const [move, ofState] = [find("asset_id"), find("state")];
  const state = ofState === undefined ? task.state : (ofState.value as TaskState);
  if (move === undefined || state === "scheduled") return restored;
  const isOfOthers = events
    .slice(events.indexOf(move.since))
    .some(
      ({ isSelected, changes }) => !isSelected && changes.some(({ field }) => field === "state"),
    );
  if (ofState !== undefined && !isOfOthers) return restored;
  const params = { field: "asset_id", state };
  const refusal = { code: "invalid_transition", key: "work_has_begun", params } as const;
  conflicts.push({ field: "asset_id", refusal });
  return restored.filter(({ field }) => field !== "asset_id" && field !== "workspace_id");
}

/** Work that others have ended since keeps the due date it had then. */
function withoutDueOfFinished(
  { state }: TaskRecord,
  restored: readonly RestoredField[],
  conflicts: Conflict[],
): readonly RestoredField[] {
  const has = (name: string) => restored.some(({ field }) => field === name);
  if (isOpenState(state) || has("state") || !has("due_date")) return restored;
  const params = { field: "due_date", state };
  const refusal = { code: "invalid_transition", key: "due_date_of_finished", params } as const;
  conflicts.push({ field: "due_date", refusal });
  return restored.filter(({ field }) => field !== "due_date");
}

/** Work that a remaining reading makes due stays due. */
function withoutDueOfReached(
  { isApplied }: Undoing,
  { due_usage: due, meter_value: value, meter_usage_before: before }: TaskRecord,
  restored: readonly RestoredField[],
): readonly RestoredField[] {
  // A planned undo may remove that reading first.
  if (!isApplied || due === null || value === null || (before ?? 0) + value < due) return restored;
  return restored.filter(({ field, since }) => field !== "due_date" || !since.isBySystem);
}

function presentOf(task: TaskRecord, steps: readonly Step[], field: string): unknown {
  if (field === "checklist") return recordedSteps(steps);
  if (field === "checklist_done") return finishedChecks(steps);
  if (field.startsWith(answerField)) {
    return recordedAnswer(findByKey(steps, field.slice(answerField.length)));
  }
  if (field === "completed_at") return task.completed_at && toTimestamp(task.completed_at);
  if (field === "due_usage") return showUsage(task, task.due_usage);
  if (field !== "recurrence") return task[field as keyof TaskRecord];
  const rule = ruleOf(task);
  return rule && describeRule(rule);
}

const followsState = [
  "started_at",
  "completed_at",
  "completed_by_user_id",
  "cancelled_at",
  "asset_state_before",
] as const;

/** If a state was left and entered again, its former times are restored too. */
function findRoundTrip(events: readonly PastEvent[], task: TaskRecord): RestoredField | undefined {
  const ofState = events.filter(({ changes }) => changes.some(({ field }) => field === "state"));
  const since = ofState[ofState.findLastIndex(({ isSelected }) => !isSelected) + 1];
  const was = since?.before?.["task"] as Snapshot | undefined;
  if (since === undefined || was?.state !== task.state) return undefined;
  const isSame = isDeepStrictEqual(
    pick(was, ...followsState),
    JSON.parse(JSON.stringify(pick(task, ...followsState))),
  );
  return isSame ? undefined : { field: "state", value: was.state, since };
}

/**
 * A completion and its time belong together: after someone else changed either, neither is undone
 * without the other.
 */
function withCompletion(
  task: TaskRecord,
  restored: readonly RestoredField[],
  conflicts: Conflict[],
): readonly RestoredField[] {
  const [state, time] = ["state", "completed_at"].map((name) =>
    restored.find(({ field }) => field === name),
  );
  const kept = (name: string) => conflicts.find(({ field }) => field === name);
  const changedTime = kept("completed_at");
  if (state !== undefined && changedTime !== undefined) {
    conflicts.push({ ...changedTime, field: "state" });
    return restored.filter((one) => one !== state);
  }
  if (state !== undefined || time === undefined) return restored;
  if ((time.value !== undefined) === (task.state === "completed")) return restored;
  conflicts.push({ field: "completed_at", by: kept("state")?.by });
  return restored.filter((one) => one !== time);
}

/** Resolves the fields' references again. A missing or forbidden reference is a conflict. */
async function toRestoration(
  undoing: Undoing,
  task: TaskRecord,
  { restored, conflicts }: { restored: readonly RestoredField[]; conflicts: Conflict[] },
): Promise<TaskRestoration> {
  const { tx, caller, isApplied } = undoing;
  const restoration: TaskRestoration = { fields: {}, place: workspaceRefOf(task) };
  const plain = new Map(plainFields({ ...taskFields, currency: { kind: "currency" } }));
  const moved = restored.find(({ field }) => field === "asset_id");
  const asset = moved === undefined ? task.asset_id : moved.value;
  const restorers: Record<string, (one: RestoredField, before: TaskSnapshot) => unknown> = {
    state: (_one, { task: was }) => was && (restoration.state = withEndOfPlan(undoing, was)),
    completed_at: (_one, { task: was }) => was && (restoration.completion = was),
    workspace_id: async ({ value }) => {
      // The task is in its asset's workspace. The asset may have moved meanwhile.
      if (asset !== null && asset !== undefined) return;
      const place = await getWorkspace(tx, caller, value as string, "workspace_id", {
        lock: isApplied,
      });
      await requireRoleIn(tx, caller, place, "member", "move tasks");
      restoration.place = place;
    },
    asset_id: async ({ value }) => {
      const former = value === undefined ? null : await findFormerAsset(undoing, value as string);
      const rule = restored.find(({ field }) => field === "recurrence")?.since.before;
      await requireMeterThere(undoing, task, former?.asset.id ?? null, rule?.["task"] as Snapshot);
      Object.assign(restoration, former ?? { asset: null });
    },
    assigned_to_user_id: async ({ value }) => {
      restoration.assignee =
        value === undefined
          ? null
          : await getAssignee(tx, caller, value as string, restoration.place);
    },
    procedure_id: async ({ value }, { task: was }) => {
      const version = Number(was?.procedure_version);
      restoration.procedure =
        value === undefined
          ? null
          : { ...(await getProcedure(tx, caller, value as string)), version };
    },
    recurrence: async (one, { task: was }) => {
      if (was === undefined) return;
      if (await hasPlace(undoing, task, was, restoration.place)) restoration.repetition = was;
      else conflicts.push({ field: one.field });
    },
  };
  for (const one of placeFirst(restored)) {
    const { field, value, since } = one;
    const rule = plain.get(field);
    const before: TaskSnapshot = since.before ?? {};
    if (rule !== undefined) {
      restoration.fields = { ...restoration.fields, [field]: value ?? startValue(rule) };
    }
    if (field === "due_date" && before.task) restoration.calendar = before.task;
    addSteps(restoration, field, before.steps);
    await orConflict(conflicts, field, () => restorers[field]?.(one, before));
  }
  const { state } = restoration;
  if (state !== undefined && (await hasOtherInPlace(undoing, task, state))) {
    delete restoration.state;
    delete restoration.completion;
    conflicts.push({ field: "state" });
  }
  if (restoration.asset === null && restoration.place === null) {
    delete restoration.asset;
    conflicts.push({ field: "asset_id" });
  }
  keepFirstDay(undoing, restored, restoration);
  const names = new Set(restored.map(({ field }) => field));
  await settleRepetition(undoing, task, restoration, { fields: names, conflicts });
  return restoration;
}

function addSteps(restoration: TaskRestoration, field: string, before: Step[] | undefined): void {
  if (before === undefined || !isStepsField(field)) return;
  const steps: StepsRestoration = (restoration.steps ??= { answers: new Map() });
  if (field.startsWith(answerField)) steps.answers.set(field.slice(answerField.length), before);
  else steps[field === "checklist" ? "checklist" : "done"] = before;
}

/** A concurrent move of the asset takes only the work that is on it by then. */
async function findFormerAsset(
  { tx, caller, isApplied }: Undoing,
  reference: string,
): Promise<Pick<TaskRestoration, "place"> & { asset: AssetRecord }> {
  const id = await getAssetId(tx, caller, reference, { lock: isApplied });
  const asset = await readAssetRecord(tx, caller, id);
  // A planned undo may restore the asset first.
  if (isApplied) refuseRetired(asset);
  const place = workspaceRefOf(asset);
  await requireRoleIn(tx, caller, place, "member", "move tasks");
  return { asset, place };
}

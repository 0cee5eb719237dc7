import type { EntityManager } from "typeorm";
import { Meter } from "../../db/entities/meter.js";
import type { TaskState } from "../../db/entities/maintenance-task.js";
import type { Caller } from "../access/caller.js";
import { workspaceRefOf, type WorkspaceRef } from "../access/roles.js";
import {
  addChanges,
  compareField,
  compareLink,
  createComparison,
  recordComparison,
  storeColumns,
  toChange,
  toNamed,
  type Comparison,
} from "../changes/differences.js";
import type { Change } from "../events/record-events.js";
import type { Named } from "../refusals/refusals.js";
import type { TaskFields } from "../tasks/task-fields.js";
import { describeRule, isNewest, ruleOf, updatePlan } from "../tasks/task-plans.js";
import type { TaskRecord } from "../tasks/task-record.js";
import { toTimestamp } from "../values/dates.js";
import { pick } from "../values/omit.js";
import {
  compareSteps,
  restoreSteps,
  type FinishedSteps,
  type StepsChange,
} from "./task-checklists.js";
import { eventTypeOf } from "./task-differences.js";
import { followMeter } from "./usage-rules.js";
import { takeSnapshot, type TaskSnapshot } from "./task-snapshots.js";

type Snapshot = NonNullable<TaskSnapshot["task"]>;

/** What of a task becomes as it was; undefined leaves it as it is. */
export interface TaskRestoration {
  fields: Partial<TaskFields>;
  place: WorkspaceRef;
  /** The one that it was on; null for the place alone. */
  asset?: Named | null;
  assignee?: Named | null;
  /** With all that follows from it. */
  state?: Snapshot;
  /** When it was completed, while it stays completed. */
  completion?: Snapshot;
  steps?: FinishedSteps;
  /** The rule as a whole; with no `plan_id`, the task leaves the plan that it is put back for. */
  repetition?: Snapshot;
  /** The day of the month that the rule comes back to, which goes with the due date. */
  calendar?: Snapshot;
}

/**
 * Makes a locked task as it was, whatever the ways between its states, and writes it into its
 * history; or only tells what that would change.
 */
export async function restoreTask(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  restoration: TaskRestoration & { isApplied: boolean },
): Promise<Change[]> {
  const { fields, place, assignee, steps, isApplied } = restoration;
  const comparison = createComparison();
  const type = "task_updated";
  if (restoration.state !== undefined) compareState(comparison, task, restoration.state);
  else if (restoration.completion !== undefined) {
    compareCompletion(comparison, task, restoration.completion);
  }
  compareLink(comparison, type, {
    idField: "asset_id",
    nameField: "asset_name",
    before: toNamed(task.asset_id, task.asset_name),
    after: restoration.asset,
  });
  compareLink(comparison, type, {
    idField: "workspace_id",
    nameField: "workspace_name",
    before: workspaceRefOf(task),
    after: place,
  });
  compareLink(comparison, type, {
    idField: "assigned_to_user_id",
    nameField: "assigned_to",
    before: toNamed(task.assigned_to_user_id, task.assigned_to),
    after: assignee,
  });
  for (const [field, value] of Object.entries(fields)) {
    compareField(comparison, type, field, [task[field as keyof TaskFields], value]);
  }
  const stepsChange = steps && (await compareSteps(tx, caller, task.id, steps));
  addChanges(comparison, type, stepsChange?.changes ?? []);
  if (restoration.repetition !== undefined) {
    compareRule(comparison, task, restoration.repetition);
  }
  if (!isApplied) return [...comparison.events.values()].flat();
  if (steps !== undefined) await restoreSteps(tx, caller, task.id, steps);
  await restorePlan(tx, caller, task, restoration);
  comparison.columns.push(...(await restoreUsage(tx, caller, task, restoration)));
  return store(tx, caller, task, { ...restoration, comparison, stepsChange });
}

/** On its former asset, work counts on by the meter there. */
async function restoreUsage(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  { asset, repetition }: TaskRestoration,
): Promise<Comparison["columns"]> {
  if (asset === undefined || repetition !== undefined) return [];
  const columns = asset && (await followMeter(tx, caller, task, asset.id));
  return columns ?? [["due_usage", null]];
}

async function store(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  done: Pick<TaskRestoration, "place" | "asset"> & {
    comparison: Comparison;
    stepsChange: StepsChange | undefined;
  },
): Promise<Change[]> {
  const { columns, events } = done.comparison;
  if (events.size === 0) return [];
  const row = { table: "maintenance_tasks", id: task.id } as const;
  const { at } = await storeColumns(tx, caller, row, columns);
  const steps = done.stepsChange ?? { changes: [], before: [] };
  return recordComparison(tx, caller, events, undefined, (type) => ({
    assetId: done.asset === undefined ? task.asset_id : (done.asset?.id ?? null),
    taskId: task.id,
    workspaceId: done.place?.id ?? null,
    occurredAt: at,
    recordedAt: at,
    ...takeSnapshot(task, events.get(type) ?? [], steps),
  }));
}

function compareState(comparison: Comparison, task: TaskRecord, before: Snapshot): void {
  const state = before.state as TaskState;
  const type = eventTypeOf(state);
  comparison.columns.push(
    ["state", state],
    ["started_at", before.started_at],
    ["completed_at", before.completed_at],
    ["completed_by", before.completed_by_user_id],
    ["cancelled_at", before.cancelled_at],
    ["asset_state_before", before.asset_state_before],
  );
  addChanges(comparison, type, [toChange("state", task.state, state)]);
  addCompletion(comparison, type, task, before);
}

function compareCompletion(comparison: Comparison, task: TaskRecord, before: Snapshot): void {
  comparison.columns.push(["completed_at", before.completed_at], ["started_at", before.started_at]);
  addCompletion(comparison, "task_updated", task, before);
}

function addCompletion(
  comparison: Comparison,
  type: ReturnType<typeof eventTypeOf>,
  task: TaskRecord,
  before: Snapshot,
): void {
  const [from, to] = [task.completed_at, before.completed_at].map((at) =>
    at === null || at === undefined ? undefined : toTimestamp(new Date(at as string)),
  );
  if (from !== to) addChanges(comparison, type, [toChange("completed_at", from, to)]);
}

/** The rule as a whole, or of it what went with the due date or ended with the last occurrence. */
async function restorePlan(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  { repetition, calendar, state }: TaskRestoration,
): Promise<void> {
  if (repetition !== undefined) return restoreRule(tx, caller, task, repetition);
  const { plan_id: planId } = task;
  if (planId === null || !(await isNewest(tx, caller, task))) return;
  if (calendar?.plan_id === planId) {
    await updatePlan(tx, caller, planId, { anchor_day: Number(calendar.anchor_day) });
  }
  if (state?.plan_active === true) await updatePlan(tx, caller, planId, { active: true });
}

function compareRule(comparison: Comparison, task: TaskRecord, before: Snapshot): void {
  const rule = before.plan_id === null ? undefined : ruleOf({ ...task, ...before } as TaskRecord);
  const [from, to] = [ruleOf(task), rule].map((one) => one && describeRule(one));
  if (from !== to) addChanges(comparison, "task_updated", [toChange("recurrence", from, to)]);
  if (before.plan_id !== task.plan_id) {
    comparison.columns.push(["plan_id", before.plan_id], ["occurrence", before.occurrence]);
  }
  const { due_usage: due = task.due_usage } = before;
  if (due !== task.due_usage) comparison.columns.push(["due_usage", due]);
}

async function restoreRule(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  before: Snapshot,
): Promise<void> {
  const planId = (before.plan_id ?? task.plan_id) as string | null;
  // One that goes on in another place is left to that, see `planJoin`.
  if (planId === null || (task.plan_id !== null && task.plan_active === null)) return;
  const days = pick(before, "every", "unit", "anchor", "anchor_day", "on_weekday", "ends_on");
  const usage = await findUsage(tx, caller, before);
  const rule = before.anchor === null ? {} : { ...days, ...usage };
  const changes = { ...rule, active: before.plan_active === true };
  await updatePlan(tx, caller, planId, changes);
}

/** A meter may be removed since. */
async function findUsage(
  tx: EntityManager,
  caller: Caller,
  { meter_id: id = null, every_usage = null }: Snapshot,
) {
  if (typeof id !== "string") return { meter_id: null, every_usage };
  const isThere = await tx.existsBy(Meter, { organization_id: caller.organizationId, id });
  return { meter_id: isThere ? id : null, every_usage };
}

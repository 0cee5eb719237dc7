import type { Tx } from "../../db/database.js";
import { MaintenancePlan, type TaskState } from "../../db/entities/tasks.js";
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
} from "../history/differences.js";
import type { Change } from "../history/record-events.js";
import type { Named } from "../shared/refusals.js";
import type { TaskFields } from "./task-fields.js";
import { compareProcedure } from "./change-procedure.js";
import type { ProcedureCopy } from "./procedures.js";
import { describeRule, isNewest, ruleOf, updatePlan } from "./task-plans.js";
import type { TaskRecord } from "./task-record.js";
import { showUsage } from "./task-usage.js";
import { toTimestamp } from "../shared/dates.js";
import { pick } from "../shared/omit.js";
import { toRestored, type StepsRestoration } from "./checklist-steps.js";
import { describeSteps, readSteps, storeSteps, type StepsChange } from "./task-checklists.js";
import { eventTypeOf } from "./task-differences.js";
import { followMeter } from "./usage-rules.js";
import { takeSnapshot, type TaskSnapshot } from "./task-snapshots.js";

export type Snapshot = NonNullable<TaskSnapshot["task"]>;

/** Earlier values of a task to restore. Undefined leaves a value unchanged. */
export interface TaskRestoration {
  fields: Partial<TaskFields>;
  place: WorkspaceRef;
  /** The asset it was on. Null for the place only. */
  asset?: Named | null;
  assignee?: Named | null;
  procedure?: Omit<ProcedureCopy, "steps"> | null;
  /** With all dependent columns. */
  state?: Snapshot;
  completion?: Snapshot;
  steps?: StepsRestoration;
  /** The complete rule. Without `plan_id`, the task leaves the plan whose rule is restored. */
  repetition?: Snapshot;
  usage?: RestoredUsage;
  /** The rule's day of the month, which belongs to the due date. */
  calendar?: Snapshot;
}

/** A meter of the task's asset with the due usage, or the equally named meter of another asset. */
export type RestoredUsage = { meterId?: string | null; due: unknown } | { followTo: string };

/**
 * Restores a locked task, regardless of allowed transitions, and records it in the history. Without
 * `isApplied`, it only returns the changes.
 */
export async function restoreTask(
  tx: Tx,
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
  compareProcedure(comparison, task, restoration.procedure);
  for (const [field, value] of Object.entries(fields)) {
    compareField(comparison, type, field, [task[field as keyof TaskFields], value]);
  }
  const stepsChange = steps && (await findStepsChange(tx, caller, task.id, steps));
  addChanges(comparison, type, stepsChange?.changes ?? []);
  if (restoration.repetition !== undefined) {
    compareRule(comparison, task, restoration.repetition);
  }
  compareUsage(comparison, task, restoration);
  if (!isApplied) return [...comparison.events.values()].flat();
  if (stepsChange !== undefined) await storeSteps(tx, caller, task.id, stepsChange.after);
  await restorePlan(tx, caller, task, restoration);
  comparison.columns.push(...(await restoreUsage(tx, caller, task, restoration.usage)));
  const changes = await store(tx, caller, task, { ...restoration, comparison, stepsChange });
  if (restoration.repetition?.plan_id === null) await dropEmptyPlan(tx, caller, task.plan_id);
  return changes;
}

async function findStepsChange(
  tx: Tx,
  caller: Caller,
  taskId: string,
  steps: StepsRestoration,
): Promise<StepsChange> {
  const before = await readSteps(tx, caller, taskId);
  const after = toRestored(before, steps);
  return { changes: describeSteps(before, after), before, after };
}

async function restoreUsage(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  usage: RestoredUsage | undefined,
): Promise<Comparison["columns"]> {
  if (usage === undefined) return [];
  if ("followTo" in usage) {
    return (await followMeter(tx, caller, task, usage.followTo)) ?? [["due_usage", null]];
  }
  const { meterId: meter_id, due } = usage;
  if (task.plan_id !== null && meter_id !== undefined) {
    await updatePlan(tx, caller, task.plan_id, { meter_id });
  }
  return [["due_usage", due]];
}

/** The history shows usage only if the work stays on its asset, as for manual changes. */
function compareUsage(
  comparison: Comparison,
  task: TaskRecord,
  { usage, asset }: TaskRestoration,
): void {
  if (usage === undefined || "followTo" in usage || asset !== undefined) return;
  const show = (due: unknown) => showUsage(task, due as number | null) ?? undefined;
  const [from, to] = [show(task.due_usage), show(usage.due)];
  if (from !== to) addChanges(comparison, "task_updated", [toChange("due_usage", from, to)]);
}

async function store(
  tx: Tx,
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
  const steps = done.stepsChange ?? { changes: [], before: [], after: [] };
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
    ["asset_state_before", formerStateOf(task, before)],
  );
  addChanges(comparison, type, [toChange("state", task.state, state)]);
  addCompletion(comparison, type, task, before);
}

/**
 * Work in progress retains the asset's former state, even one that the asset's undo has just
 * restored.
 */
function formerStateOf(task: TaskRecord, before: Snapshot): unknown {
  const { asset_state_before: present } = task;
  if (!isUnderWay(before)) return null;
  return isUnderWay(task) ? present : (before.asset_state_before ?? present);
}

function isUnderWay({
  state,
  started_at: begun,
}: {
  state: unknown;
  started_at: unknown;
}): boolean {
  return (state === "in_progress" || state === "on_hold") && begun !== null;
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

/**
 * Restores the complete rule, or only the parts that changed with the due date or the last
 * occurrence.
 */
async function restorePlan(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { repetition, calendar, state }: TaskRestoration,
): Promise<void> {
  if (repetition !== undefined) return restoreRule(tx, caller, task, repetition);
  const { plan_id: planId } = task;
  if (planId === null || !(await isNewest(tx, caller, task))) return;
  // Either rule may be by usage only, without days.
  if (calendar?.plan_id === planId && calendar.anchor_day !== null && task.every !== null) {
    await updatePlan(tx, caller, planId, { anchor_day: Number(calendar.anchor_day) });
  }
  if (state?.plan_active === true) await updatePlan(tx, caller, planId, { active: true });
}

function compareRule(comparison: Comparison, task: TaskRecord, before: Snapshot): void {
  const after = { ...task, ...before } as TaskRecord;
  const joins = before.plan_id !== task.plan_id;
  // Joining or leaving a plan is recorded even if the plan has ended, so it can be undone.
  const describe = (one: TaskRecord) => {
    const rule = one.plan_id === null ? undefined : ruleOf(joins ? withPlan(one) : one);
    return rule && describeRule(rule);
  };
  const [from, to] = [describe(task), describe(after)];
  if (from !== to) addChanges(comparison, "task_updated", [toChange("recurrence", from, to)]);
  if (joins) {
    comparison.columns.push(["plan_id", before.plan_id], ["occurrence", before.occurrence]);
  }
  const { due_usage: due = task.due_usage } = before;
  if (due !== task.due_usage) comparison.columns.push(["due_usage", due]);
}

function withPlan(task: TaskRecord): TaskRecord {
  return { ...task, plan_active: true };
}

async function restoreRule(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  before: Snapshot,
): Promise<void> {
  const planId = (before.plan_id ?? task.plan_id) as string | null;
  // A plan that continues in another place is left unchanged. See `planJoin`.
  if (planId === null || (task.plan_id !== null && task.plan_active === null)) return;
  const columns = ["every", "unit", "anchor", "anchor_day", "on_weekday", "ends_on"] as const;
  const rule = before.anchor === null ? {} : pick(before, ...columns, "meter_id", "every_usage");
  const changes = { ...rule, active: before.plan_active === true } as Partial<MaintenancePlan>;
  if (task.plan_id === null) await addPlan(tx, caller, { ...changes, id: planId });
  await updatePlan(tx, caller, planId, changes);
}

/** The plan may have been deleted when its only task left. */
async function addPlan(
  tx: Tx,
  caller: Caller,
  plan: Partial<MaintenancePlan> & Pick<MaintenancePlan, "id">,
): Promise<void> {
  const { organizationId: organization_id, userId: created_by } = caller;
  const row = { ...plan, organization_id, created_by };
  await tx.insert(MaintenancePlan, row, { orIgnore: true });
}

async function dropEmptyPlan(
  tx: Tx,
  { organizationId }: Caller,
  planId: string | null,
): Promise<void> {
  await tx.query(
    `DELETE FROM maintenance_plans p WHERE p.organization_id = $1 AND p.id = $2 AND NOT EXISTS
       (SELECT FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.plan_id = $2)`,
    [organizationId, planId],
  );
}

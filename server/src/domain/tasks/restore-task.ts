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
import { describeRule, isNewest, ruleOf, updatePlan } from "./task-plans.js";
import type { TaskRecord } from "./task-record.js";
import { showUsage } from "./task-usage.js";
import { toTimestamp } from "../shared/dates.js";
import { pick } from "../shared/omit.js";
import {
  compareSteps,
  restoreSteps,
  type FinishedSteps,
  type StepsChange,
} from "./task-checklists.js";
import { eventTypeOf } from "./task-differences.js";
import { followMeter } from "./usage-rules.js";
import { takeSnapshot, type TaskSnapshot } from "./task-snapshots.js";

export type Snapshot = NonNullable<TaskSnapshot["task"]>;

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
  /** What the repetition counts by otherwise, if it changes. */
  usage?: RestoredUsage;
  /** The day of the month that the rule comes back to, which goes with the due date. */
  calendar?: Snapshot;
}

/** A meter of the task's asset and the usage that it is due at, or the meter of that name on another asset. */
export type RestoredUsage = { meterId?: string | null; due: unknown } | { followTo: string };

/**
 * Makes a locked task as it was, whatever the ways between its states, and writes it into its
 * history; or only tells what that would change.
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
  for (const [field, value] of Object.entries(fields)) {
    compareField(comparison, type, field, [task[field as keyof TaskFields], value]);
  }
  const stepsChange = steps && (await compareSteps(tx, caller, task.id, steps));
  addChanges(comparison, type, stepsChange?.changes ?? []);
  if (restoration.repetition !== undefined) {
    compareRule(comparison, task, restoration.repetition);
  }
  compareUsage(comparison, task, restoration);
  if (!isApplied) return [...comparison.events.values()].flat();
  if (steps !== undefined) await restoreSteps(tx, caller, task.id, steps);
  await restorePlan(tx, caller, task, restoration);
  comparison.columns.push(...(await restoreUsage(tx, caller, task, restoration.usage)));
  const changes = await store(tx, caller, task, { ...restoration, comparison, stepsChange });
  if (restoration.repetition?.plan_id === null) await dropEmptyPlan(tx, caller, task.plan_id);
  return changes;
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

/** The history names the usage only where the work stays on its asset, as for a change by hand. */
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
    ["asset_state_before", formerStateOf(task, before)],
  );
  addChanges(comparison, type, [toChange("state", task.state, state)]);
  addCompletion(comparison, type, task, before);
}

/** Work under way keeps what it remembers of its asset, also what the undo of the asset has just given back. */
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

/** The rule as a whole, or of it what went with the due date or ended with the last occurrence. */
async function restorePlan(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { repetition, calendar, state }: TaskRestoration,
): Promise<void> {
  if (repetition !== undefined) return restoreRule(tx, caller, task, repetition);
  const { plan_id: planId } = task;
  if (planId === null || !(await isNewest(tx, caller, task))) return;
  // Either rule may be by usage alone, which knows no days.
  if (calendar?.plan_id === planId && calendar.anchor_day !== null && task.every !== null) {
    await updatePlan(tx, caller, planId, { anchor_day: Number(calendar.anchor_day) });
  }
  if (state?.plan_active === true) await updatePlan(tx, caller, planId, { active: true });
}

function compareRule(comparison: Comparison, task: TaskRecord, before: Snapshot): void {
  const after = { ...task, ...before } as TaskRecord;
  const joins = before.plan_id !== task.plan_id;
  // Joining or leaving a plan is told also where that has ended, so that it can be undone.
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
  // One that goes on in another place is left to that, see `planJoin`.
  if (planId === null || (task.plan_id !== null && task.plan_active === null)) return;
  const columns = ["every", "unit", "anchor", "anchor_day", "on_weekday", "ends_on"] as const;
  const rule = before.anchor === null ? {} : pick(before, ...columns, "meter_id", "every_usage");
  const changes = { ...rule, active: before.plan_active === true } as Partial<MaintenancePlan>;
  if (task.plan_id === null) await addPlan(tx, caller, { ...changes, id: planId });
  await updatePlan(tx, caller, planId, changes);
}

/** The plan may have gone when its only task left it. */
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

import type { WorkspaceRef } from "../access/roles.js";
import { AppError } from "../../errors.js";
import { createParameters } from "../../db/parameters.js";
import { checkDue } from "../tasks/change-repetition.js";
import type { Snapshot, TaskRestoration } from "../tasks/restore-task.js";
import type { RepeatRule } from "../tasks/next-due-date.js";
import { isNewest, ruleOf } from "../tasks/task-plans.js";
import type { TaskRecord } from "../tasks/task-record.js";
import { orConflict, type Conflict, type Undoing } from "./outcomes.js";
import type { RestoredField } from "./past-changes.js";
import { selectedSql } from "./selections.js";

/** The restored rule's anchor day follows the due date, which the earlier change stores. */
export function keepFirstDay(
  { subject: { events } }: Undoing,
  restored: readonly RestoredField[],
  { repetition, calendar }: TaskRestoration,
): void {
  if (!repetition || !calendar || calendar.plan_id !== repetition.plan_id) return;
  if (repetition.every === null || calendar.anchor_day === null) return;
  const [due, rule] = ["due_date", "recurrence"].map((name) =>
    events.findIndex((event) => restored.some((one) => one.field === name && one.since === event)),
  );
  if (Number(due) < Number(rule)) repetition.anchor_day = calendar.anchor_day;
}

/**
 * Returns true if the plan has no later occurrence and no other task at this task's position. A
 * plan that the task has left isn't reclaimed from another workspace where it continues, see
 * `planJoin`.
 */
export async function hasPlace(
  { tx, caller, selection, isApplied }: Undoing,
  task: TaskRecord,
  was: Snapshot,
  place: WorkspaceRef,
): Promise<boolean> {
  const planId = task.plan_id ?? was.plan_id;
  if (typeof planId !== "string") return true;
  const last = task.occurrence ?? Number(was.occurrence) - 1;
  const parameters = createParameters(caller.organizationId, planId, last);
  const selected = selectedSql(selection, parameters, "e");
  const isElsewhere = `${String(task.plan_id === null)}
    AND t.workspace_id IS DISTINCT FROM ${parameters.add(place?.id ?? null)}`;
  const rows = await tx.query(
    `SELECT FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.plan_id = $2 AND (${isElsewhere} OR t.occurrence > $3
       AND (${String(isApplied)} OR NOT EXISTS (SELECT FROM history_events e
         WHERE e.organization_id = $1 AND e.task_id = t.id AND e.type = 'task_created'
           AND ${selected})))
     LIMIT 1`,
    parameters.values,
  );
  return rows.length === 0;
}

/**
 * Returns true if the plan that a cancelled occurrence left has created another one instead, which
 * replaces it.
 */
export async function hasOtherInPlace(
  { tx, caller }: Undoing,
  task: TaskRecord,
  was: Snapshot,
): Promise<boolean> {
  if (task.plan_id !== null || task.state !== "cancelled" || was.plan_id === null) return false;
  const rows = await tx.query(
    `SELECT FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.plan_id = $2 AND t.occurrence >= $3 LIMIT 1`,
    [caller.organizationId, was.plan_id, was.occurrence],
  );
  return rows.length > 0;
}

/** Changing one of these fields may change the usage at which work is due. */
const usageFields = new Set(["recurrence", "due_usage", "asset_id"]);

/** Returns the task's state before the selected usage changes that no changes by others follow. */
function findUsageBefore({ subject: { events } }: Undoing): Snapshot | undefined {
  const ofUsage = events.filter(({ changes }) =>
    changes.some(({ field }) => usageFields.has(field)),
  );
  const lastOfOthers = ofUsage.findLastIndex(({ isSelected }) => !isSelected);
  return ofUsage[lastOfOthers + 1]?.before?.["task"] as Snapshot | undefined;
}

type Counted = Pick<Snapshot, "meter_id" | "meter" | "meter_unit">;

interface PresentPlan extends Counted {
  every: number | null;
  every_usage: number | null;
}

/**
 * Includes the plan's meter, wherever it is. `TaskRecord` only has meters of the task's own asset.
 */
async function readPlan({ tx, caller }: Undoing, id: string): Promise<PresentPlan | undefined> {
  return tx.maybe<PresentPlan>(
    `SELECT p.every, p.every_usage::float8 AS every_usage, m.id AS meter_id, m.name::text AS meter,
       m.unit AS meter_unit
     FROM maintenance_plans p
     LEFT JOIN meters m ON m.organization_id = $1 AND m.id = p.meter_id
     WHERE p.organization_id = $1 AND p.id = $2`,
    [caller.organizationId, id],
  );
}

/**
 * Returns the meter itself if it belongs to the asset, or else the asset's own meter with its name.
 */
async function findMeterOn(
  { tx, caller }: Undoing,
  assetId: string | null,
  { meter_id, meter, meter_unit }: Counted,
): Promise<string | undefined> {
  const row = await tx.maybe<{ id: string }>(
    `SELECT m.id FROM meters m WHERE m.organization_id = $1 AND m.asset_id = $2
       AND (m.id = $3 OR m.name = $4::citext AND m.unit = $5)
     ORDER BY m.id = $3 DESC LIMIT 1`,
    [caller.organizationId, assetId, meter_id, meter, meter_unit],
  );
  return row?.id;
}

/** Returns the meter that the task's plan uses after the undo. The plan is otherwise unchanged. */
function toCounted(plan: PresentPlan, before: Snapshot | undefined, planId: string): Counted {
  const isSame = before?.plan_id === planId && before.every_usage === plan.every_usage;
  return isSame && before.meter_id !== null ? before : plan;
}

const meterElsewhere = () =>
  new AppError("invalid_transition", "meter_elsewhere", { field: "recurrence" });

/** As in a manual move, work that repeats only by usage stays with its meter. */
export async function requireMeterThere(
  undoing: Undoing,
  task: TaskRecord,
  assetId: string | null,
  rule: Snapshot | undefined,
): Promise<void> {
  const counted = rule ?? (await findPresentRule(undoing, task));
  if (counted === undefined || counted.meter_id === null || counted.every !== null) return;
  if ((await findMeterOn(undoing, assetId, counted)) === undefined) throw meterElsewhere();
}

/** Returns the task's current rule, which continues if the undo restores no other. */
async function findPresentRule(
  undoing: Undoing,
  task: TaskRecord,
): Promise<(Counted & { every: unknown }) | undefined> {
  if (task.plan_id === null || task.plan_active === false) return undefined;
  const plan = await readPlan(undoing, task.plan_id);
  if (plan === undefined || !(await isNewest(undoing.tx, undoing.caller, task))) return undefined;
  const { every } = plan;
  return { ...toCounted(plan, findUsageBefore(undoing), task.plan_id), every };
}

/**
 * Applies the rules of a manual change where the undo affects them. The recurrence needs a meter of
 * the task's own asset, and a due date if it counts days.
 */
export async function settleRepetition(
  undoing: Undoing,
  task: TaskRecord,
  restoration: TaskRestoration,
  { fields, conflicts }: { fields: ReadonlySet<string>; conflicts: Conflict[] },
): Promise<void> {
  const { asset } = restoration;
  const assetId = asset === undefined ? task.asset_id : (asset?.id ?? null);
  const { repetition } = restoration;
  const given = { assetId, fields, conflicts };
  if (repetition === undefined) await settlePresentRule(undoing, task, restoration, given);
  else await settleRule(undoing, restoration, { was: repetition, assetId, conflicts });
  await settleDue(task, restoration, conflicts);
  // If the former rule can't be restored, the current one moves with the work.
  if (repetition !== undefined && restoration.repetition === undefined) {
    await settlePresentRule(undoing, task, restoration, given);
  }
}

async function settleRule(
  undoing: Undoing,
  restoration: TaskRestoration,
  { was, assetId, conflicts }: { was: Snapshot; assetId: string | null; conflicts: Conflict[] },
): Promise<void> {
  if (was.plan_id === null || was.meter_id === null) return;
  const meterId = await findMeterOn(undoing, assetId, was);
  if (meterId === was.meter_id) {
    const { due_usage } = pickSame(findUsageBefore(undoing), was);
    restoration.repetition = { ...was, due_usage };
    return;
  }
  restoration.repetition = { ...was, meter_id: meterId ?? null, due_usage: null };
  if (meterId !== undefined) return;
  if (was.every === null) delete restoration.repetition;
  await orConflict(conflicts, "recurrence", () => Promise.reject(meterElsewhere()));
}

/** Picks the earlier one if both use one meter. */
function pickSame(earlier: Snapshot | undefined, was: Snapshot): Snapshot {
  return earlier !== undefined && earlier.meter_id === was.meter_id ? earlier : was;
}

/**
 * Returns the rule that a plan gets back when a later occurrence leaves it. The rule uses a meter
 * on the previous occurrence's asset.
 */
export async function settleLeftRule(
  undoing: Undoing,
  { plan_id: planId, occurrence }: TaskRecord,
  rule: Snapshot,
  conflicts: Conflict[],
): Promise<Snapshot> {
  if (rule.meter_id === null) return rule;
  const row = await undoing.tx.maybe<{ asset_id: string | null }>(
    `SELECT asset_id FROM maintenance_tasks
     WHERE organization_id = $1 AND plan_id = $2 AND occurrence < $3 ORDER BY occurrence DESC LIMIT 1`,
    [undoing.caller.organizationId, planId, occurrence],
  );
  const meterId = await findMeterOn(undoing, row?.asset_id ?? null, rule);
  if (meterId !== undefined) return { ...rule, meter_id: meterId };
  await orConflict(conflicts, "recurrence", () => Promise.reject(meterElsewhere()));
  return { ...rule, meter_id: null };
}

interface Settled {
  assetId: string | null;
  fields: ReadonlySet<string>;
  conflicts: Conflict[];
}

/** Adjusts the task's current rule where the undo affects its meter or usage. */
async function settlePresentRule(
  undoing: Undoing,
  task: TaskRecord,
  restoration: TaskRestoration,
  { assetId, fields, conflicts }: Settled,
): Promise<void> {
  const { plan_id: planId } = task;
  const isAffected = ["asset_id", "state", "due_usage"].some((field) => fields.has(field));
  if (planId === null || !isAffected) return;
  await settleUsage(undoing, task, restoration, { planId, assetId, conflicts });
}

async function settleUsage(
  undoing: Undoing,
  task: TaskRecord,
  restoration: TaskRestoration,
  { planId, assetId, conflicts }: Omit<Settled, "fields"> & { planId: string },
): Promise<void> {
  const before = findUsageBefore(undoing);
  if (!(await isNewest(undoing.tx, undoing.caller, task))) {
    // The due usage moves with the task. If the task doesn't move and the meter is on another
    // asset, the history can't record the change, and a redo would miss it.
    const isRedone = restoration.asset !== undefined || task.meter_id !== null;
    if (before !== undefined && isRedone) restoration.usage = { due: before.due_usage };
    return;
  }
  const plan = await readPlan(undoing, planId);
  if (plan === undefined) return;
  const counted = toCounted(plan, before, planId);
  if (counted.meter_id === null) return;
  const meterId = await findMeterOn(undoing, assetId, counted);
  if (meterId === undefined) {
    restoration.usage = { meterId: null, due: null };
    await orConflict(conflicts, "recurrence", () => Promise.reject(meterElsewhere()));
  } else if (before !== undefined && meterId === before.meter_id) {
    restoration.usage = { meterId, due: before.due_usage };
  } else if (meterId !== plan.meter_id && assetId !== null) {
    restoration.usage = { followTo: assetId };
  }
}

/** A plan that ended with the task resumes with its state, unless someone else has changed the repetition since. */
export function withEndOfPlan({ subject: { events } }: Undoing, state: Snapshot): Snapshot {
  const isChanged = events.some(
    ({ isSelected, changes }) => !isSelected && changes.some(({ field }) => field === "recurrence"),
  );
  return isChanged ? { ...state, plan_active: null } : state;
}

/** A rule that counts days needs a valid due date. Later changes by others to either stay. */
async function settleDue(
  task: TaskRecord,
  restoration: TaskRestoration,
  conflicts: Conflict[],
): Promise<void> {
  const { fields, state } = restoration;
  const rule = findLaterRule(task, restoration);
  if (rule === undefined) return;
  const { due_date: due = task.due_date } = fields;
  const field = fields.due_date === undefined ? "recurrence" : "due_date";
  const checked = await orConflict(conflicts, field, () => {
    checkDue(rule, due);
    return true;
  });
  if (checked === true) return;
  if (field === "due_date") {
    delete fields.due_date;
    delete restoration.calendar;
  } else {
    delete restoration.repetition;
    if (state !== undefined) restoration.state = { ...state, plan_active: null };
  }
}

/** Returns the rule after the undo, if the undo changes the rule or the due date. */
function findLaterRule(
  task: TaskRecord,
  { fields, repetition, state }: TaskRestoration,
): RepeatRule | undefined {
  if (repetition !== undefined) {
    return repetition.plan_id === null
      ? undefined
      : ruleOf({ ...task, ...repetition } as TaskRecord);
  }
  const goesOn = state?.plan_active === true && task.plan_active === false;
  if (fields.due_date === undefined && !goesOn) return undefined;
  return ruleOf(goesOn ? { ...task, plan_active: true } : task);
}

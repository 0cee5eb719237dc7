import { MoreThan, type Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import {
  MaintenancePlan,
  type RepeatAnchor,
  type RepeatUnit,
  type WeekdayOfMonth,
  MaintenanceTask,
} from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { visibleTaskSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { createId } from "../shared/ids.js";
import { omit } from "../shared/omit.js";
import { dayOfMonth, nearestOnWeekday, type RepeatRule } from "./next-due-date.js";
import { defaultLocale, inLocale } from "../../language/locale.js";
import { describeRecurrence } from "./task-answers.js";
import type { TaskRecord } from "./task-record.js";

export interface Recurrence extends Partial<Record<"every" | "every_usage", number | undefined>> {
  unit?: RepeatUnit | undefined;
  /** Defaults to the due date. */
  anchor?: RepeatAnchor | undefined;
  /** For months and years, instead of the day of the month. */
  on_weekday?: WeekdayOfMonth | undefined;
  ends_on?: string | undefined;
  /** Name, id or unit of the meter. Defaults to the asset's only meter. */
  meter?: string | undefined;
  /**
   * Meter reading when this occurrence is due. Defaults to the current reading plus `every_usage`.
   */
  due_usage?: number | undefined;
}

/**
 * The rule of work whose first or current occurrence is due on a day, without its meter. If the
 * rule's weekday of the month stays, one occurrence may be due on another day.
 */
export function toRule(
  recurrence: Recurrence,
  dueDate: string | null,
  before?: RepeatRule,
): RepeatRule {
  const { anchor = "due_date", ends_on = null } = recurrence;
  const days = toDays(recurrence, dueDate);
  if (dueDate !== null) checkEnd(ends_on, dueDate);
  if (days.on_weekday !== before?.on_weekday) requireOnWeekday(days.on_weekday, dueDate);
  return { ...days, anchor, ends_on, ...byNoMeter };
}

/** The calendar part of a rule. Empty if it is by usage only. */
function toDays(recurrence: Recurrence, dueDate: string | null) {
  const { every, unit, every_usage } = recurrence;
  const on_weekday = checkWeekday(recurrence);
  if ((every === undefined) !== (unit === undefined) || (every ?? every_usage) === undefined) {
    const field = every === undefined ? "recurrence.every" : "recurrence.unit";
    throw new AppError("validation_failed", "missing", { field });
  }
  if (every === undefined || unit === undefined) {
    return { every: null, unit: null, on_weekday, anchor_day: null };
  }
  if (dueDate !== null) return { every, unit, on_weekday, anchor_day: dayOfMonth(dueDate) };
  const fields = { field: "recurrence", otherField: "due_date" };
  throw new AppError("validation_failed", "recurrence_without_due_date", fields);
}

const byNoMeter = { meter_id: null, every_usage: null, meter: null, meter_unit: null };

function checkWeekday({ on_weekday, unit }: Recurrence): WeekdayOfMonth | null {
  if (on_weekday === undefined || unit === "month" || unit === "year") return on_weekday ?? null;
  const details = { field: "recurrence.on_weekday", unit: unit ?? "usage" };
  throw new AppError("validation_failed", "weekday_of_months_only", details);
}

function requireOnWeekday(weekday: WeekdayOfMonth | null, dueDate: string | null): void {
  if (weekday === null || dueDate === null) return;
  const nearest = nearestOnWeekday(weekday, dueDate);
  if (nearest === undefined) return;
  const details = { field: "due_date", day: dueDate, weekday, ...nearest };
  throw new AppError("validation_failed", "not_on_weekday", details);
}

/** Throws if the due date is after the end of the repetition. */
export function checkEnd(endsOn: string | null, dueDate: string): void {
  if (endsOn === null || endsOn >= dueDate) return;
  throw new AppError("validation_failed", "before_other_day", {
    field: "recurrence.ends_on",
    day: endsOn,
    otherField: "due_date",
    otherDay: dueDate,
  });
}

/** The rule of a task. Undefined if it doesn't repeat, or no longer repeats. */
export function ruleOf(task: TaskRecord): RepeatRule | undefined {
  const { every, unit, anchor, anchor_day, on_weekday, ends_on, plan_active } = task;
  const { meter_id, every_usage, meter, meter_unit } = task;
  if (plan_active !== true || anchor === null) return undefined;
  if (every === null && meter_id === null) return undefined;
  const usage = meter_id === null ? byNoMeter : { meter_id, every_usage, meter, meter_unit };
  return { every, unit, anchor, anchor_day, on_weekday, ends_on, ...usage };
}

/** `every 3 months on the first Monday after completion until 2027-06-30` */
export function describeRule({ anchor, ends_on, ...rule }: RepeatRule): string {
  // Stored in the history, which has one language.
  const interval = inLocale(defaultLocale, () =>
    describeRecurrence({ ...rule, plan_active: true }),
  );
  const after = anchor === "completion_date" ? " after completion" : "";
  return `${interval ?? ""}${after}${ends_on === null ? "" : ` until ${ends_on}`}`;
}

export async function createPlan(tx: Tx, caller: Caller, rule: RepeatRule): Promise<string> {
  const id = createId("plan");
  const { organizationId: organization_id, userId: created_by } = caller;
  const stored = { ...toColumns(rule), id, organization_id, created_by };
  await tx.insert(MaintenancePlan, stored);
  return id;
}

function toColumns(rule: RepeatRule) {
  return omit(rule, "meter", "meter_unit");
}

/** Gives a plan a new rule. An ended plan continues. */
export async function changePlan(
  tx: Tx,
  caller: Caller,
  planId: string,
  rule: RepeatRule,
): Promise<void> {
  await updatePlan(tx, caller, planId, { ...toColumns(rule), active: true });
}

/** Stops further occurrences. Tasks retain their plan for its history. */
export async function endPlan(tx: Tx, caller: Caller, planId: string): Promise<void> {
  await updatePlan(tx, caller, planId, { active: false });
}

export async function updatePlan(
  tx: Tx,
  caller: Caller,
  id: string,
  changes: Partial<MaintenancePlan>,
): Promise<void> {
  const where = { organization_id: caller.organizationId, id };
  await tx.update(MaintenancePlan, where, changes);
}

/** True if a task is the last occurrence of its plan. */
export async function isNewest(
  tx: Tx,
  caller: Caller,
  { plan_id, occurrence }: Pick<TaskRecord, "plan_id" | "occurrence">,
): Promise<boolean> {
  if (plan_id === null || occurrence === null) return false;
  const { organizationId: organization_id } = caller;
  const later = { organization_id, plan_id, occurrence: MoreThan(occurrence) };
  return !(await tx.exists(MaintenanceTask, later));
}

/** Task number of a plan's last occurrence. Undefined if the caller can't see it. */
export async function findNewestNumber(
  tx: Tx,
  caller: Caller,
  planId: string,
): Promise<number | undefined> {
  const parameters = createParameters(caller.organizationId, planId);
  const row = await tx.maybe<{ number: number; visible: boolean }>(
    `SELECT t.task_number::int AS number, ${visibleTaskSql(caller, parameters, "t")} AS visible
     FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.plan_id = $2
     ORDER BY t.occurrence DESC LIMIT 1`,
    parameters.values,
  );
  return row?.visible === true ? row.number : undefined;
}

/** Restarts a fixed calendar from a chosen due date. */
export async function moveAnchor(
  tx: Tx,
  caller: Caller,
  planId: string,
  dueDate: string,
): Promise<void> {
  await updatePlan(tx, caller, planId, { anchor_day: dayOfMonth(dueDate) });
}

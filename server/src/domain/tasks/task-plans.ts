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

/** A repeat rule as it is asked for: by the calendar, by usage, or both. */
export interface Recurrence extends Partial<Record<"every" | "every_usage", number | undefined>> {
  unit?: RepeatUnit | undefined;
  /** The due date when left out. */
  anchor?: RepeatAnchor | undefined;
  /** Of months and years, instead of the day of the month. */
  on_weekday?: WeekdayOfMonth | undefined;
  ends_on?: string | undefined;
  /** Name, id or unit of the meter; the only one of the asset when left out. */
  meter?: string | undefined;
  /** What the meter shows when this occurrence is due; now and `every_usage` when left out. */
  due_usage?: number | undefined;
}

/**
 * The rule of work whose first or present occurrence is due on a day, without its meter. Under a rule that
 * keeps its weekday of the month, one occurrence may be put off to another day.
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

/** The part of a rule that counts days; none when it is by usage alone. */
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

/** A due date lies within the repetition. */
export function checkEnd(endsOn: string | null, dueDate: string): void {
  if (endsOn === null || endsOn >= dueDate) return;
  throw new AppError("validation_failed", "before_other_day", {
    field: "recurrence.ends_on",
    day: endsOn,
    otherField: "due_date",
    otherDay: dueDate,
  });
}

/** The rule that a task repeats by; undefined when it does not, or not any more. */
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
  // Stored with the history, which has one language.
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

/** Gives a plan another rule, by which it goes on also when it had ended. */
export async function changePlan(
  tx: Tx,
  caller: Caller,
  planId: string,
  rule: RepeatRule,
): Promise<void> {
  await updatePlan(tx, caller, planId, { ...toColumns(rule), active: true });
}

/** No further occurrence is made; the tasks keep their plan for its history. */
export async function endPlan(tx: Tx, caller: Caller, planId: string): Promise<void> {
  await updatePlan(tx, caller, planId, { active: false });
}

/** Changes what is given of a plan. */
export async function updatePlan(
  tx: Tx,
  caller: Caller,
  id: string,
  changes: Partial<MaintenancePlan>,
): Promise<void> {
  const where = { organization_id: caller.organizationId, id };
  await tx.update(MaintenancePlan, where, changes);
}

/** Whether a task is the last occurrence of a plan. */
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

/** The number of the last occurrence of a plan; undefined where the caller does not see it. */
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

/** A fixed calendar starts anew from the due date that somebody chose. */
export async function moveAnchor(
  tx: Tx,
  caller: Caller,
  planId: string,
  dueDate: string,
): Promise<void> {
  await updatePlan(tx, caller, planId, { anchor_day: dayOfMonth(dueDate) });
}

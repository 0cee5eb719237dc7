import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { toChange, type Comparison } from "../history/differences.js";
import type { Change } from "../history/record-events.js";
import type { RepeatRule } from "./next-due-date.js";
import {
  changePlan,
  checkEnd,
  createPlan,
  endPlan,
  findNewestNumber,
  isNewest,
  moveAnchor,
  describeRule,
  ruleOf,
  toRule,
  type Recurrence,
} from "./task-plans.js";
import { followMeter, withMeter, type MeteredRule } from "./usage-rules.js";
import { showUsage } from "./task-usage.js";
import { toTaskNumber } from "../shared/task-references.js";
import type { TaskRecord } from "./task-record.js";

export interface RepetitionUpdate {
  /** The complete new rule. Null ends the repetition. */
  recurrence: Recurrence | null | undefined;
  dueDate: string | null;
  assetId: string | null;
}

export type RepetitionChange = Pick<Comparison, "columns"> & { changes: Change[] };

const unchanged: RepetitionChange = { columns: [], changes: [] };

/**
 * Stores a new rule for a locked task. Returns the task's changed columns and the history changes.
 */
export async function changeRepetition(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { recurrence, dueDate, assetId }: RepetitionUpdate,
): Promise<RepetitionChange> {
  const before = ruleOf(task);
  if (recurrence === null) return storeRule(tx, caller, task, { before, rule: undefined });
  if (recurrence === undefined) return keepRule(tx, caller, task, { dueDate, assetId });
  const newest = await isNewest(tx, caller, task);
  if (task.plan_id !== null && !newest) throw await continuesElsewhere(tx, caller, task.plan_id);
  const plain = toRule(recurrence, dueDate, before);
  const metered = await withMeter(tx, caller, plain, recurrence, assetId);
  const { rule } = metered;
  const moves = dueDate !== task.due_date;
  if (moves && newest) await moveDueDate(tx, caller, task, { rule, dueDate });
  else if (rule.every !== null && countsByDayOfMonth(before)) rule.anchor_day = before.anchor_day;
  const dueUsage = isCountedOn(task, metered, recurrence) ? task.due_usage : metered.dueUsage;
  return storeRule(tx, caller, task, { before, rule, dueUsage });
}

/** Adapts the rule's calendar to the due date and its meter to the asset. */
async function keepRule(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { dueDate, assetId }: Omit<RepetitionUpdate, "recurrence">,
): Promise<RepetitionChange> {
  const moves = dueDate !== task.due_date;
  const to = assetId === task.asset_id ? null : assetId;
  if (!moves && to === null) return unchanged;
  const newest = await isNewest(tx, caller, task);
  if (newest && moves) await moveDueDate(tx, caller, task, { rule: ruleOf(task), dueDate });
  if (to === null) return unchanged;
  return { columns: await moveUsage(tx, caller, task, { assetId: to, newest }), changes: [] };
}

/** True if meter and interval are unchanged. The due usage is then unchanged, too. */
function isCountedOn(
  { meter_id, every_usage, due_usage }: TaskRecord,
  { rule }: MeteredRule,
  asked: Recurrence,
): boolean {
  const isSame = rule.meter_id === meter_id && rule.every_usage === every_usage;
  return isSame && asked.due_usage === undefined && due_usage !== null;
}

async function moveUsage(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { assetId, newest }: { assetId: string; newest: boolean },
): Promise<RepetitionChange["columns"]> {
  const followed = newest ? await followMeter(tx, caller, task, assetId) : undefined;
  if (followed !== undefined) return followed;
  if (newest && ruleOf(task) !== undefined) {
    const details = { field: "asset_id", name: task.meter ?? "" };
    throw new AppError("validation_failed", "meter_not_there", details);
  }
  return task.due_usage === null ? [] : [["due_usage", null]];
}

/** Only for the occurrence that determines the next one. */
async function moveDueDate(
  tx: Tx,
  caller: Caller,
  { plan_id: planId, every }: TaskRecord,
  { rule, dueDate }: { rule: RepeatRule | undefined; dueDate: string | null },
): Promise<void> {
  if (rule !== undefined) checkDue(rule, dueDate);
  if (planId !== null && dueDate !== null && every !== null)
    await moveAnchor(tx, caller, planId, dueDate);
}

export async function checkMovedDue(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  dueDate: string,
): Promise<void> {
  const rule = ruleOf(task);
  if (rule === undefined || dueDate === task.due_date) return;
  if (await isNewest(tx, caller, task)) checkDue(rule, dueDate);
}

/** Only the newest occurrence determines when the next one is due. */
async function continuesElsewhere(tx: Tx, caller: Caller, planId: string): Promise<AppError> {
  const number = await findNewestNumber(tx, caller, planId);
  const newest = number === undefined ? undefined : toTaskNumber(number);
  const details = { field: "recurrence", newest };
  return new AppError("invalid_transition", "recurrence_of_other_task", details);
}

async function storeRule(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { before, rule, dueUsage = task.due_usage }: RuleChange,
): Promise<RepetitionChange> {
  const { plan_id: planId, due_usage } = task;
  const from = before && describeRule(before);
  const to = rule && describeRule(rule);
  if (from === to && due_usage === dueUsage) return unchanged;
  const columns = await storePlan(tx, caller, planId, rule);
  if (due_usage !== dueUsage) columns.push(["due_usage", dueUsage]);
  if (from !== to) return { columns, changes: [toChange("recurrence", from, to)] };
  const show = (usage: number | null) => showUsage(task, usage);
  return { columns, changes: [toChange("due_usage", show(due_usage), show(dueUsage))] };
}

async function storePlan(
  tx: Tx,
  caller: Caller,
  planId: string | null,
  rule: RepeatRule | undefined,
): Promise<RepetitionChange["columns"]> {
  if (planId !== null) {
    await (rule === undefined ? endPlan(tx, caller, planId) : changePlan(tx, caller, planId, rule));
    return [];
  }
  if (rule === undefined) return [];
  return [
    ["plan_id", await createPlan(tx, caller, rule)],
    ["occurrence", 1],
  ];
}

interface RuleChange {
  before: RepeatRule | undefined;
  rule: RepeatRule | undefined;
  /** Defaults to the current value. */
  dueUsage?: number | null;
}

export function checkDue({ every, ends_on }: RepeatRule, dueDate: string | null): void {
  if (dueDate === null) {
    if (every === null) return;
    throw new AppError("validation_failed", "due_date_of_repetition", { field: "due_date" });
  }
  checkEnd(ends_on, dueDate);
}

/** True if the plan's day of the month says more than the due date, such as 31 in February. */
function countsByDayOfMonth(rule: RepeatRule | undefined): rule is RepeatRule {
  return rule?.anchor === "due_date" && (rule.unit === "month" || rule.unit === "year");
}

import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { toChange, type Comparison } from "../changes/differences.js";
import type { Change } from "../events/record-events.js";
import type { RepeatRule } from "../tasks/next-due-date.js";
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
} from "../tasks/task-plans.js";
import { toTaskNumber } from "../references/task-references.js";
import type { TaskRecord } from "../tasks/task-record.js";

/** What a call says about the repetition of a task. */
export interface RepetitionUpdate {
  /** The new rule as a whole; null ends the repetition. */
  recurrence: Recurrence | null | undefined;
  /** The due date after the call. */
  dueDate: string | null;
}

/** What becomes of the repetition: columns of the task, and what its history tells. */
export type RepetitionChange = Pick<Comparison, "columns"> & { changes: Change[] };

const unchanged: RepetitionChange = { columns: [], changes: [] };

/** Stores another rule of a locked task; answers with the task's own columns and the change. */
export async function changeRepetition(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  { recurrence, dueDate }: RepetitionUpdate,
): Promise<RepetitionChange> {
  const before = ruleOf(task);
  const moves = dueDate !== task.due_date;
  if (recurrence === null) return storeRule(tx, caller, task, { before, rule: undefined });
  if (recurrence === undefined && !moves) return unchanged;
  const newest = await isNewest(tx, caller, task);
  if (recurrence === undefined) {
    if (newest) await moveDueDate(tx, caller, task, { rule: before, dueDate });
    return unchanged;
  }
  if (task.plan_id !== null && !newest) throw await continuesElsewhere(tx, caller, task.plan_id);
  const rule = toRule(recurrence, dueDate);
  if (moves && newest) await moveDueDate(tx, caller, task, { rule, dueDate });
  else if (countsByDayOfMonth(before)) rule.anchor_day = before.anchor_day;
  return storeRule(tx, caller, task, { before, rule });
}

/** Of the occurrence that the next one is counted from. */
async function moveDueDate(
  tx: EntityManager,
  caller: Caller,
  { plan_id: planId }: TaskRecord,
  { rule, dueDate }: { rule: RepeatRule | undefined; dueDate: string | null },
): Promise<void> {
  if (rule !== undefined) checkDue(rule, dueDate);
  if (planId !== null && dueDate !== null) await moveAnchor(tx, caller, planId, dueDate);
}

/** Refuses another due date of a task that its repetition does not reach. */
export async function checkMovedDue(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  dueDate: string,
): Promise<void> {
  const rule = ruleOf(task);
  if (rule === undefined || dueDate === task.due_date) return;
  if (await isNewest(tx, caller, task)) checkDue(rule, dueDate);
}

/** An occurrence that others follow no longer decides when the next one is due. */
async function continuesElsewhere(
  tx: EntityManager,
  caller: Caller,
  planId: string,
): Promise<AppError> {
  const newest = toTaskNumber(await findNewestNumber(tx, caller, planId));
  const details = { field: "recurrence", newest };
  return new AppError("invalid_transition", "recurrence_of_other_task", details);
}

async function storeRule(
  tx: EntityManager,
  caller: Caller,
  { plan_id: planId }: TaskRecord,
  { before, rule }: { before: RepeatRule | undefined; rule: RepeatRule | undefined },
): Promise<RepetitionChange> {
  const from = before && describeRule(before);
  const to = rule && describeRule(rule);
  if (from === to) return unchanged;
  const columns: RepetitionChange["columns"] = [];
  if (planId === null && rule !== undefined) {
    columns.push(["plan_id", await createPlan(tx, caller, rule)], ["occurrence", 1]);
  } else if (planId !== null && rule !== undefined) await changePlan(tx, caller, planId, rule);
  else if (planId !== null) await endPlan(tx, caller, planId);
  return { columns, changes: [toChange("recurrence", from, to)] };
}

/** What repeats has a due date, and that lies within the repetition. */
function checkDue({ ends_on }: RepeatRule, dueDate: string | null): void {
  if (dueDate === null) {
    throw new AppError("validation_failed", "due_date_of_repetition", { field: "due_date" });
  }
  checkEnd(ends_on, dueDate);
}

/** Whether the plan's day of the month says more than the due date, such as 31 in February. */
function countsByDayOfMonth(rule: RepeatRule | undefined): rule is RepeatRule {
  return rule?.anchor === "due_date" && (rule.unit === "month" || rule.unit === "year");
}

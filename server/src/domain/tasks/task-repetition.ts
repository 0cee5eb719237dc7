import type { EntityManager } from "typeorm";
import type { Caller } from "../caller.js";
import { toChange, type Comparison } from "../differences.js";
import type { Change } from "../history/history.js";
import { type RepeatRule } from "./recurrence.js";
import {
  changePlan,
  checkEnd,
  createPlan,
  endPlan,
  isNewest,
  moveAnchor,
  ruleInWords,
  ruleOf,
  toRule,
  type Recurrence,
} from "./task-plans.js";
import { wrongField } from "./task-fields.js";
import type { TaskRecord } from "./task-record.js";

/** What a call says about the repetition of a task. */
export interface RepetitionUpdate {
  /** The new rule as a whole; null ends the repetition. */
  recurrence: Recurrence | null | undefined;
  /** The due date after the call. */
  dueDate: string | null;
}

/** Stores another rule of a locked task; answers with the task's own columns and the change. */
export async function changeRepetition(
  tx: EntityManager,
  caller: Caller,
  task: TaskRecord,
  { recurrence, dueDate }: RepetitionUpdate,
): Promise<Pick<Comparison, "columns"> & { changes: Change[] }> {
  const before = ruleOf(task);
  const moves = dueDate !== null && dueDate !== task.due_date;
  const restarts = moves && task.plan_id !== null && (await isNewest(tx, caller, task));
  if (restarts) await moveAnchor(tx, caller, task, dueDate);
  if (recurrence === undefined) {
    if (before !== undefined) checkDue(before, dueDate);
    return { columns: [], changes: [] };
  }
  const rule = recurrence === null ? undefined : toRule(recurrence, dueDate);
  const [from, to] = [inWords(before), inWords(rule)];
  if (from === to) return { columns: [], changes: [] };
  if (rule !== undefined && !restarts && countsByDayOfMonth(before)) {
    rule.anchor_day = before.anchor_day;
  }
  const columns = await storeRule(tx, caller, task, rule);
  return { columns, changes: [toChange("recurrence", from, to)] };
}

async function storeRule(
  tx: EntityManager,
  caller: Caller,
  { plan_id: planId }: TaskRecord,
  rule: RepeatRule | undefined,
): Promise<Comparison["columns"]> {
  if (planId === null) {
    if (rule === undefined) return [];
    const columns: Comparison["columns"] = [["plan_id", await createPlan(tx, caller, rule)]];
    return [...columns, ["occurrence", 1]];
  }
  if (rule === undefined) await endPlan(tx, caller, planId);
  else await changePlan(tx, caller, planId, rule);
  return [];
}

function inWords(rule: RepeatRule | undefined): string | undefined {
  return rule === undefined ? undefined : ruleInWords(rule);
}

/** What repeats has a due date, and that lies within the repetition. */
function checkDue({ ends_on }: RepeatRule, dueDate: string | null): void {
  if (dueDate === null) {
    throw wrongField(
      "due_date",
      'cannot be emptied while the task repeats. Put "recurrence" in clear_fields too',
    );
  }
  checkEnd(ends_on, dueDate);
}

/** Whether the plan's day of the month says more than the due date, such as 31 in February. */
function countsByDayOfMonth(rule: RepeatRule | undefined): rule is RepeatRule {
  return rule?.anchor === "due_date" && (rule.unit === "month" || rule.unit === "year");
}

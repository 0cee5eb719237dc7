import type { Tx } from "../../db/database.js";
import { plannedFields } from "../../db/entities/tasks.js";
import { pickFields } from "../shared/clean-fields.js";
import { findLostAssignee } from "../shared/assignees.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import type { Warning } from "../shared/warnings.js";
import { dayIn } from "../shared/dates.js";
import { findNextDue, isOver } from "./next-due-date.js";
import { workspaceRefOf } from "../access/roles.js";
import { toTaskNumber } from "../shared/task-references.js";
import { findCurrentProcedure } from "./procedures.js";
import { readSteps, withStepMeters } from "./task-checklists.js";
import { endPlan, isNewest, ruleOf } from "./task-plans.js";
import { describeDueUsage } from "./task-usage.js";
import type { TaskRecord } from "./task-record.js";
import { storeNewTask, type TaskStart } from "./task-store.js";
import { findNextUsage } from "./usage-rules.js";

export interface NextTask {
  id: string;
  task_number: string;
  due_date: string | null;
  /** "130,000 km, now 120,500 km" */
  due_usage: string | null;
}

/**
 * Creates the next occurrence of a task that was just completed or skipped. Only the newest
 * occurrence creates one, so completing a reopened task creates none.
 */
export async function createNextTask(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
): Promise<{ next?: NextTask; warnings: Warning[] }> {
  const { plan_id: planId, occurrence, due_date: dueDate } = task;
  const rule = ruleOf(task);
  if (rule === undefined || planId === null || occurrence === null) {
    return { warnings: [] };
  }
  if (!(await isNewest(tx, caller, task))) return { warnings: [] };
  const today = todayOf(caller);
  const doneOn = task.completed_at === null ? today : dayIn(caller.timeZone, task.completed_at);
  const { due, skipped } = findNextDue(rule, { dueDate, doneOn, today });
  if (isOver(rule, due, today)) {
    await endPlan(tx, caller, planId);
    return { warnings: [{ key: "repetition_ended", ends_on: rule.ends_on }] };
  }

  const dueUsage = await findNextUsage(tx, caller, rule, task);
  const lost = await findLostAssignee(tx, caller, task, workspaceRefOf(task));
  const { id, number } = await storeNewTask(tx, caller, {
    fields: { ...pickFields(plannedFields, task), due_date: due },
    assetId: task.asset_id,
    workspaceId: task.workspace_id,
    assigneeId: lost === undefined ? task.assigned_to_user_id : null,
    ...(await findNextSteps(tx, caller, task)),
    plan: { id: planId, occurrence: occurrence + 1, dueUsage },
    bySystem: true,
  });
  const due_usage = describeDueUsage({ ...task, state: "scheduled", due_usage: dueUsage });
  const next = { id, task_number: toTaskNumber(number), due_date: due, due_usage };
  const passed: Warning[] =
    skipped === 0 || due === null ? [] : [{ key: "occurrences_skipped", skipped, due }];
  return { next, warnings: lost === undefined ? passed : [...passed, lost] };
}

/** The current steps of the task's procedure. If it is archived, or without one, the same steps. */
async function findNextSteps(
  tx: Tx,
  caller: Caller,
  { id, asset_id, procedure_id, procedure_version: version }: TaskRecord,
): Promise<Pick<TaskStart, "checklist" | "procedure">> {
  const current = procedure_id && (await findCurrentProcedure(tx, caller, procedure_id));
  if (current) {
    const copied = { areOfProcedure: true };
    const checklist = await withStepMeters(tx, caller, current.steps, asset_id, copied);
    return { checklist, procedure: current };
  }
  const checklist = await readSteps(tx, caller, id);
  if (procedure_id === null || version === null) return { checklist };
  return { checklist, procedure: { id: procedure_id, version } };
}

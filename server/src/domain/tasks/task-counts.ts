import { isOpen, isOverdue } from "./task-states.js";

/*
 * Task counts as SQL expressions, in a statement whose $1 is the organization. `where` is a
 * condition on `t`, such as `t.asset_id = a.id`. Tasks of retired assets never count.
 */

export function openTaskCount(where: string): string {
  return `(SELECT count(*)::int FROM ${openTasks(where)})`;
}

/** `today` is a parameter, such as `$2`. */
export function overdueTaskCount(where: string, today: string): string {
  return `(SELECT count(*)::int FROM ${openTasks(where)} AND ${isOverdue("t", today)})`;
}

export function nextDueDate(where: string): string {
  return `(SELECT min(t.due_date) FROM ${openTasks(where)})`;
}

function openTasks(where: string): string {
  return `maintenance_tasks t
    WHERE t.organization_id = $1 AND ${where} AND NOT t.hidden AND ${isOpen("t")}`;
}

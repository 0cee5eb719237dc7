/** Conditions in SQL on `task`, the alias of a maintenance_tasks row: what open and overdue mean. */

export function isOpen(task: string): string {
  return `${task}.state IN ('scheduled', 'in_progress', 'on_hold')`;
}

/** In the words of the indexes that end with it, the due day and the id; they do not know NOT. */
export const isFinished = "(t.state IN ('completed', 'cancelled'))";
export const isUnfinished = `${isFinished} IS FALSE`;

/**
 * An open task whose due day lies before today (a parameter such as `$2`, the organization's
 * today). Due today is not overdue, and tasks of a retired asset never are.
 */
export function isOverdue(task: string, today: string): string {
  return `(NOT ${task}.hidden AND ${isOpen(task)} AND ${task}.due_date < ${today}::date)`;
}

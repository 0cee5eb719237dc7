// @ts-check
import { dateOf, weekLater } from "./attention-words.js";
import { countOf } from "./page.js";

/**
 * @typedef {import("./attention-words.js").AttentionItem} AttentionItem
 * @typedef {import("./attention-words.js").Task} Task
 * @typedef {{ today: string, organization_role: string, granted_scopes: string[],
 *   user: { name: string }, workspaces?: { name: string, role: string }[],
 *   workspace_count: number }} Me
 * @typedef {{ label: string, button: string, withNotes?: true, ask: (task: Task, me: Me) => string[],
 *   change: (task: Task, me: Me, notes: string) => object,
 *   done: (task: Task, me: Me) => string }} Act
 */

/** @type {Act} */
const complete = {
  label: "Complete",
  button: "Complete task",
  withNotes: true,
  ask: (task) => [
    `Complete ${nameOf(task)} now?`,
    ...stepsLeft(task),
    ...(task.repeats === undefined
      ? []
      : ["When you complete a recurring task, the next one is created for you."]),
  ],
  change: (_task, _me, notes) => ({
    state: "completed",
    ...(notes !== "" && { completion_notes: notes }),
  }),
  done: ({ task_number }) => `${task_number} completed.`,
};

/** @type {Act} */
const assign = {
  label: "Assign to me",
  button: "Assign to me",
  ask: (task, { user }) => [
    `Assign ${nameOf(task)} to ${user.name}?`,
    ...(task.assigned_to === undefined ? [] : [`It's currently assigned to ${task.assigned_to}.`]),
  ],
  change: () => ({ assigned_to_user_id: "me" }),
  done: ({ task_number }, { user }) => `${task_number} assigned to ${user.name}.`,
};

/** @type {Act} */
const postpone = {
  label: "+7 days",
  button: "Change due date",
  ask: (task, { today }) => [
    `Move ${nameOf(task)} from ${dateOf(task.due_date)} to ${dateOf(weekLater(task, today))}?`,
  ],
  change: (task, { today }) => ({ due_date: weekLater(task, today) }),
  done: (task, { today }) => `${task.task_number} is now due on ${dateOf(weekLater(task, today))}.`,
};

/** @param {Task} task */
function nameOf({ task_number, title }) {
  return `${task_number} “${title}”`;
}

/** @param {Task} task */
function stepsLeft({ checklist = [] }) {
  const left = checklist.filter(({ done }) => !done).length;
  return left === 0
    ? []
    : [`${left} of ${countOf(checklist.length, "step")} ${left === 1 ? "isn't" : "aren't"} done.`];
}

/**
 * Returns the actions that the connection's scopes and the person's role allow. The server checks
 * them again.
 *
 * @param {AttentionItem} matter
 * @param {Me | undefined} me
 */
export function actsFor(matter, me) {
  if (matter.task_number === undefined || me === undefined || !mayChange(matter, me)) return [];
  const isMine = matter.assigned_to === me.user.name;
  return isMine ? [complete, postpone] : [complete, assign, postpone];
}

/**
 * @param {AttentionItem} matter
 * @param {Me} me
 */
function mayChange({ workspace_name }, me) {
  if (!me.granted_scopes.includes("mcp_write")) return false;
  if (me.organization_role !== "member") return true;
  const { workspaces = [], workspace_count } = me;
  const own = workspaces.find(({ name }) => name === workspace_name);
  if (own !== undefined) return own.role !== "viewer";
  return workspace_name !== undefined && workspace_count > workspaces.length;
}

// @ts-check
import { countOf, typed } from "./page.js";

/**
 * @typedef {{
 *   reason: string, days?: number, failures?: number, more?: number, asset_id?: string,
 *   inventory_number?: string, name?: string, workspace_name?: string, task_number?: string,
 *   task_title?: string, priority?: string, assigned_to?: string, report?: string,
 * }} AttentionItem
 * @typedef {{ task_number: string, title: string, due_date?: string, assigned_to?: string,
 *   checklist?: { done: boolean }[], repeats?: string, version: number, url: string }} Task
 */

/**
 * Returns the reason that an item is on the list.
 *
 * @param {AttentionItem} matter
 * @returns {(string | Node)[]}
 */
export function reasonOf(matter) {
  const { reason, days, failures = 0 } = matter;
  return brokenOf(matter) ?? workOf(matter) ?? otherOf(reason, days ?? 0, failures);
}

/**
 * @param {AttentionItem} matter
 * @returns {(string | Node)[] | undefined}
 */
function brokenOf({ reason, task_title, days = 0, report = "" }) {
  if (reason === "reported_unusable")
    return ["Reported as unusable: ", typed(task_title ?? report)];
  if (reason !== "out_of_service" && reason !== "in_maintenance") return undefined;
  const down = reason === "out_of_service" ? "Out of service" : "In maintenance";
  const repair = task_title === undefined ? [", no repair planned"] : [": ", typed(task_title)];
  return [`${down} ${since(days)}`, ...repair];
}

/**
 * @param {AttentionItem} matter
 * @returns {(string | Node)[] | undefined}
 */
function workOf({ reason, task_title = "", priority, days }) {
  const title = typed(task_title);
  if (reason === "overdue") return [title, ` · ${countOf(days ?? 0, "day")} overdue`];
  if (reason !== "unassigned") return undefined;
  const facts = [
    ...(priority === "urgent" ? ["Urgent"] : []),
    ...(priority === "high" ? ["High priority"] : []),
    ...(days === undefined ? [] : [`due ${soon(days)}`]),
    "no assignee",
  ];
  return [title, ` · ${facts.join(" · ")}`];
}

/**
 * @param {string} reason
 * @param {number} days
 * @param {number} failures
 */
function otherOf(reason, days, failures) {
  if (reason === "repeated_failures") {
    return [`Failed ${countOf(failures, "time")} in the last 365 days`];
  }
  return [
    reason === "warranty_ending" ? `Warranty ends ${soon(days)}` : reason.replaceAll("_", " "),
  ];
}

/**
 * Returns the style of an entry's edge. The text has the same information.
 *
 * @param {AttentionItem} matter
 */
export function toneOf({ reason }) {
  if (reason === "warranty_ending") return "";
  return reason === "unassigned" || reason === "repeated_failures" ? "wait" : "bad";
}

/** @param {number} days */
function since(days) {
  return days === 0 ? "since today" : `for ${countOf(days, "day")}`;
}

/** @param {number} days */
function soon(days) {
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(days, "day");
}

/** @param {string | undefined} day */
export function dateOf(day) {
  if (day === undefined) return "no date";
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(day),
  );
}

/**
 * Returns the day a week after the due date, or after today if that is later.
 *
 * @param {Task} task
 * @param {string} today
 */
export function weekLater({ due_date = "" }, today) {
  const from = new Date(due_date > today ? due_date : today);
  from.setUTCDate(from.getUTCDate() + 7);
  return from.toISOString().slice(0, 10);
}

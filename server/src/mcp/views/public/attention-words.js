// @ts-check
import { countOf, typed } from "./page.js";

/**
 * @typedef {{
 *   reason: string, days?: number, failures?: number, more?: number, asset_id?: string,
 *   inventory_number?: string, name?: string, workspace_name?: string, task_number?: string,
 *   task_title?: string, assigned_to?: string,
 * }} Matter
 * @typedef {{ task_number: string, title: string, due_date?: string, assigned_to?: string,
 *   checklist?: { done: boolean }[], repeats?: string, version: number, url: string }} Task
 */

/**
 * Why something is on the list.
 *
 * @param {Matter} matter
 * @returns {(string | Node)[]}
 */
export function reasonOf({ reason, task_title = "", days, failures = 0 }) {
  const title = typed(task_title);
  if (reason === "overdue") return [title, ` is overdue by ${countOf(days ?? 0, "day")}`];
  if (reason === "out_of_service")
    return [`Out of service ${since(days ?? 0)}, and no work is planned`];
  if (reason === "unassigned") {
    return ["Nobody is responsible for ", title, days === undefined ? "" : `, due ${soon(days)}`];
  }
  if (reason === "repeated_failures") {
    return [`Failed ${countOf(failures, "time")} in the last 365 days`];
  }
  if (reason === "warranty_ending") return [`Warranty ends ${soon(days ?? 0)}`];
  return [reason.replaceAll("_", " ")];
}

/**
 * The edge of an entry; the words say the same.
 *
 * @param {Matter} matter
 */
export function toneOf({ reason }) {
  if (reason === "overdue" || reason === "out_of_service") return "bad";
  return reason === "warranty_ending" ? "" : "wait";
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
 * A week after the day it is due, or after today where that has passed.
 *
 * @param {Task} task
 * @param {string} today
 */
export function weekLater({ due_date = "" }, today) {
  const from = new Date(due_date > today ? due_date : today);
  from.setUTCDate(from.getUTCDate() + 7);
  return from.toISOString().slice(0, 10);
}

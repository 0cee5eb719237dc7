import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { visiblePlaces } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { findNextDue, projectNextDue, type CalendarRule } from "./next-due-date.js";
import { resolveFilters, toConditions, type TaskFilters } from "./task-filters.js";
import {
  taskRowColumns,
  taskRowJoins,
  toTaskRow,
  type StoredTaskRow,
  type TaskRow,
} from "./task-rows.js";
import { addDays } from "../shared/dates.js";

/** A future occurrence, with the open task that it follows. */
export interface ForecastOccurrence {
  day: string;
  task: TaskRow;
}

export interface Forecast {
  occurrences: ForecastOccurrence[];
  isCut: boolean;
}

type Stored = StoredTaskRow & CalendarRule & { due_date: string };

const maxTasks = 500;

/** Range in days. Later dates are unreliable, and repetitions have no end. */
export const forecastDays = 400;

/**
 * Minimum number of days to the next occurrence. An occurrence moved to the end of a month returns
 * to the beginning.
 */
const leastDays = `CASE p.unit WHEN 'day' THEN p.every WHEN 'week' THEN p.every * 7
  WHEN 'month' THEN (p.every - 1) * 28 + 1 ELSE p.every * 365 - 31 END`;

/**
 * Predicts repeating work between two days. Assumes that each occurrence is done on its due date,
 * and overdue ones today. Covers at most 500 tasks, earliest due first.
 */
export async function findForecast(
  db: Tx,
  caller: Caller,
  filters: Pick<TaskFilters, "workspace_id" | "assigned_to_user_id" | "type">,
  { from, to }: { from: string; to: string },
): Promise<Forecast> {
  const resolved = await resolveFilters(db, caller, { ...filters, state: "open", due_to: to });
  const parameters = createParameters(caller.organizationId);
  const where = toConditions(caller, resolved, parameters).join(" AND ");
  const sorted = `ORDER BY t.due_date, t.id LIMIT ${maxTasks + 1}`;
  const eachPlace = visiblePlaces(caller, parameters, "t", { separately: true });
  const rows = await db.query<Stored>(
    `SELECT ${taskRowColumns}, p.anchor, p.anchor_day, p.ends_on
     FROM (${eachPlace(
       (place) => `SELECT t.* FROM maintenance_tasks t
         JOIN maintenance_plans p ON p.organization_id = $1 AND p.id = t.plan_id AND p.active
         WHERE ${where} AND ${place} AND t.due_date + ${leastDays} <= ${parameters.add(to)}::date
           AND NOT EXISTS (SELECT FROM maintenance_tasks later WHERE later.organization_id = $1
             AND later.plan_id = t.plan_id AND later.occurrence > t.occurrence)
         ${sorted}`,
     )}) t ${taskRowJoins} ${sorted}`,
    parameters.values,
    { replan: caller.organizationId },
  );
  const occurrences = rows
    .slice(0, maxTasks)
    .flatMap((row) => project(row, { from, to, today: resolved.today }));
  return { occurrences, isCut: rows.length > maxTasks };
}

function project(
  row: Stored,
  { from, to, today }: { from: string; to: string; today: string },
): ForecastOccurrence[] {
  const task = toTaskRow(row, today);
  const found: ForecastOccurrence[] = [];
  // One step reaches the first day, unless each day determines the next one: months differ in
  // length.
  const isEven = row.anchor === "due_date" || row.unit === "day" || row.unit === "week";
  let { due: day } = findNextDue(row, {
    dueDate: row.due_date,
    doneOn: row.due_date < today ? today : row.due_date,
    today: isEven && from > today ? from : today,
  });
  while (day !== null && day <= to) {
    if (day >= from) found.push({ day, task });
    day = followingDay(row, day, today);
  }
  return found;
}

/**
 * Starts from a day that isn't before today. Days and weeks are simply added. Calendar arithmetic
 * for 500 daily tasks takes a second of CPU time per month.
 */
function followingDay(row: Stored, day: string, today: string): string | null {
  const { every, unit, ends_on: end } = row;
  if (every === null || (unit !== "day" && unit !== "week")) return projectNextDue(row, day, today);
  const next = addDays(day, unit === "day" ? every : 7 * every);
  return end !== null && next > end ? null : next;
}

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

/** An occurrence that is not there yet, of the open task before it. */
export interface ForecastOccurrence {
  day: string;
  task: TaskRow;
}

export interface Forecast {
  occurrences: ForecastOccurrence[];
  /** Whether there are more tasks that repeat than are looked at. */
  isCut: boolean;
}

type Stored = StoredTaskRow & CalendarRule & { due_date: string };

const maxTasks = 500;

/** How many days ahead: further away the dates say nothing, and there is no end to them. */
export const forecastDays = 400;

/** The fewest days to the next occurrence: one that was moved to the end of a month comes back at its beginning. */
const leastDays = `CASE p.unit WHEN 'day' THEN p.every WHEN 'week' THEN p.every * 7
  WHEN 'month' THEN (p.every - 1) * 28 + 1 ELSE p.every * 365 - 31 END`;

/**
 * When repeating work comes again between two days, if each occurrence is done on its day, and what is late
 * today. Of at most 500 tasks, the earliest due.
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
  // One step leads to the first day, but where each day decides on those after it: of months that differ.
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
 * From one that does not lie before today. Days and weeks are only counted on: by the calendar, a month of 500
 * tasks that repeat each day would keep the processor busy for a second.
 */
function followingDay(row: Stored, day: string, today: string): string | null {
  const { every, unit, ends_on: end } = row;
  if (every === null || (unit !== "day" && unit !== "week")) return projectNextDue(row, day, today);
  const next = addDays(day, unit === "day" ? every : 7 * every);
  return end !== null && next > end ? null : next;
}

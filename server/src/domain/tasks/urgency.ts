import { criticalities, type Criticality } from "../../db/entities/assets.js";
import { taskPriorities, type TaskPriority } from "../../db/entities/tasks.js";
import { wrongCursor, type Position } from "../shared/cursors.js";
import { dayKey, type FirstRows, type Order, type SortKey } from "../shared/keyset.js";
import type { Parameters } from "../../db/parameters.js";
import { addDays } from "../shared/dates.js";
import { isFinished, isOpen, isOverdue, isUnfinished } from "./task-states.js";

/*
 * Urgency order. Open tasks come before finished ones, and overdue tasks before other open ones.
 * Overdue tasks are sorted by points: one per day late, plus criticality and priority. Ties go to
 * the older task. Other open tasks are sorted by due date, then points. Finished tasks follow by
 * due date.
 */

/** By an asset's criticality. */
export const criticalityPoints: Record<Criticality, number> = {
  low: -10,
  medium: 0,
  high: 20,
  critical: 40,
};

export const priorityPoints: Record<TaskPriority, number> = {
  low: 0,
  medium: 0,
  high: 10,
  urgent: 20,
};

const maxLatePoints = 30;

/** SQL expression. `today` is an SQL date, and `task` the alias of an overdue row. */
export function latePoints(task: string, today: string): string {
  return `least(${today} - ${task}.due_date, ${maxLatePoints})`;
}

export function pointsOf(points: Record<string, number>, column: string): string {
  const cases = Object.entries(points).map(([value, given]) => `WHEN '${value}' THEN ${given}`);
  return `CASE ${column} ${cases.join(" ")} END`;
}

/** Must match the indexes on the due date. */
export const dueFirst = dayKey("t.due_date", "infinity");

/**
 * Sort values of tasks that aren't overdue. Overdue tasks have negative points, because the most
 * come first.
 */
const stages = { due: 1000, finished: 2000 };

/**
 * `day` is a parameter. Overdue depends on it, so it is a sort key with one value in all rows.
 * Cursors then contain it, and further pages use the day of the first.
 */
export function byUrgency(day: string): Order {
  const today = `${day}::date`;
  const points = `${pointsOf(criticalityPoints, "t.criticality")} + ${pointsOf(priorityPoints, "t.priority")}`;
  const stage = `CASE WHEN ${isOverdue("t", day)} THEN -(${latePoints("t", today)} + ${points})
    WHEN ${isFinished} THEN ${stages.finished} ELSE ${stages.due} END`;
  return {
    keys: [
      toKey("date", today),
      toKey("int", stage),
      dueFirst,
      toKey("int", `CASE WHEN ${isFinished} THEN 0 ELSE -(${points}) END`),
    ],
    direction: "ASC",
  };
}

function toKey(type: string, expression: string): SortKey {
  return { expression, type, text: `(${expression})::text` };
}

export interface UrgencyPosition {
  day: string;
  stage: number;
  due: string;
  points: number;
  id: string;
}

export function readPosition({ value = "", id }: Position): UrgencyPosition {
  const [day, stage, due, points] = value.slice(1, -1).split(",");
  // Cursors from earlier versions have other keys.
  if (day === undefined || due === undefined || points === undefined) throw wrongCursor();
  return { day, stage: Number(stage), due, points: -Number(points), id };
}

/** Due date and id that rows come after. */
type Start = readonly [due: string, id: string];

const beforeAll: Start = ["-infinity", ""];

/**
 * Returns where open tasks with these points for criticality and priority continue. Undefined if
 * none are left.
 */
function startOfOpen(points: number, last: UrgencyPosition | undefined): Start | undefined {
  if (last === undefined) return beforeAll;
  const { stage, due, id } = last;
  if (stage === stages.finished) return undefined;
  if (stage < stages.due) return startOfOverdue(points, last);
  if (points <= last.points) return [due, points === last.points ? id : ""];
  return due === "infinity" ? undefined : [addDays(due, 1), ""];
}

function startOfOverdue(points: number, { day, stage, due, id }: UrgencyPosition): Start {
  // A task this many days late is as urgent as the last row.
  const days = Math.max(-stage - points, 0);
  if (days > maxLatePoints) return beforeAll;
  const equal = addDays(day, -days);
  if (due === equal || (due < equal && days === maxLatePoints)) return [due, id];
  return due < equal ? [equal, ""] : [addDays(equal, 1), ""];
}

export interface UrgencySql {
  sorted: string;
  last: UrgencyPosition | undefined;
  open: boolean;
  finished: boolean;
}

/**
 * Indexes sort open tasks by due date within equal criticality and priority. Reads the first rows
 * of each such group, then takes the first rows of all groups.
 */
export function firstByUrgency(
  parameters: Parameters,
  { sorted, last, open, finished }: UrgencySql,
): FirstRows {
  const groups = open ? toGroups(parameters, last) : "";
  const start = finished ? toStartOfFinished(parameters, last) : "";
  const due = dueFirst.expression;
  return (conditions, count, eachPlace) => {
    const firstDue = (condition: string, behind: string) => {
      const found = eachPlace(
        (
          place,
        ) => `SELECT t.id, ${due} AS due, t.due_date, t.state, t.hidden, t.criticality, t.priority
          FROM maintenance_tasks t WHERE ${[...conditions, condition, place].join(" AND ")}
            AND (${due}, t.id) > (${behind}) ORDER BY ${due}, t.id LIMIT ${count}`,
      );
      return `(SELECT * FROM (${found}) t ORDER BY t.due, t.id LIMIT ${count})`;
    };
    const inGroup = `t.criticality = grouped.criticality AND t.priority = grouped.priority
      AND ${isOpen("t")}`;
    // Called only if needed, because an unused parameter has no type.
    const ofGroups = () => `SELECT t.* FROM ${groups},
      LATERAL ${firstDue(inGroup, "grouped.due, grouped.id")} t`;
    const found = [
      ...(open ? [ofGroups()] : []),
      ...(finished ? [firstDue(`${isFinished} IS TRUE`, start)] : []),
    ];
    return `SELECT t.* FROM (
        SELECT t.id FROM (${found.join(" UNION ALL ")}) t ${sorted} LIMIT ${count}) found
      JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = found.id`;
  };
}

/**
 * First rows by due date, latest first and undated last. Indexes sort undated tasks as the latest,
 * so dated and undated tasks are read one after the other, each backwards.
 */
export function firstLatestDue(
  { add }: Parameters,
  { sorted, after, open, finished }: Omit<UrgencySql, "last"> & { after: Position | undefined },
): FirstRows {
  const due = dueFirst.expression;
  const ends = [...(open ? [isUnfinished] : []), ...(finished ? [`${isFinished} IS TRUE`] : [])];
  return (conditions, count, eachPlace) => {
    const isAfter =
      after?.value === undefined
        ? "TRUE"
        : `(${due}, t.id) < (${add(after.value)}::date, ${add(after.id)})`;
    const parts = ends.flatMap((end) => [
      [end, `${due} < 'infinity'`, isAfter],
      [end, `${due} = 'infinity'`],
    ]);
    const found = parts.map((part) => {
      const rows = eachPlace(
        (place) => `SELECT t.* FROM maintenance_tasks t
          WHERE ${[...conditions, ...part, place].join(" AND ")}
          ORDER BY ${due} DESC, t.id DESC LIMIT ${count}`,
      );
      return `(SELECT * FROM (${rows}) t ORDER BY ${due} DESC, t.id DESC LIMIT ${count})`;
    });
    return `SELECT t.* FROM (${found.join(" UNION ALL ")}) t ${sorted} LIMIT ${count}`;
  };
}

function toGroups({ add }: Parameters, last: UrgencyPosition | undefined): string {
  const groups = criticalities.flatMap((criticality) =>
    taskPriorities.flatMap((priority) => {
      const start = startOfOpen(criticalityPoints[criticality] + priorityPoints[priority], last);
      return start === undefined ? [] : [[criticality, priority, ...start] as const];
    }),
  );
  const column = (index: 0 | 1 | 2 | 3, type: string) =>
    `${add(groups.map((group) => group[index]))}::${type}[]`;
  return `unnest(${column(0, "text")}, ${column(1, "text")}, ${column(2, "date")}, ${column(3, "text")})
    grouped (criticality, priority, due, id)`;
}

function toStartOfFinished({ add }: Parameters, last: UrgencyPosition | undefined): string {
  const [due, id] = last?.stage === stages.finished ? [last.due, last.id] : beforeAll;
  return `${add(due)}::date, ${add(id)}`;
}

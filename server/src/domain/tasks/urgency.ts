import { criticalities, type Criticality } from "../../db/entities/assets.js";
import { taskPriorities, type TaskPriority } from "../../db/entities/tasks.js";
import { wrongCursor, type Position } from "../shared/cursors.js";
import { dayKey, type FirstRows, type Order, type SortKey } from "../shared/keyset.js";
import type { Parameters } from "../../db/parameters.js";
import { addDays } from "../shared/dates.js";
import { isFinished, isOpen, isOverdue } from "./task-states.js";

/*
 * What is most urgent: open tasks before finished ones, and of the open ones what is overdue before the
 * rest. Of what is overdue that with the most points, which are one for each day late and those of
 * criticality and priority; where they are equal, the older. Of the rest what is due first, and of one day,
 * or without one, that with the most points. Finished ones follow by due day.
 */

/** Of an asset's criticality. */
export const criticalityPoints: Record<Criticality, number> = {
  low: -10,
  medium: 0,
  high: 20,
  critical: 40,
};

/** How much more than other work. */
export const priorityPoints: Record<TaskPriority, number> = {
  low: 0,
  medium: 0,
  high: 10,
  urgent: 20,
};

const maxLatePoints = 30;

/** An SQL expression; `today` is one of a date, and `task` the alias of an overdue row. */
export function latePoints(task: string, today: string): string {
  return `least(${today} - ${task}.due_date, ${maxLatePoints})`;
}

/** The same of a column that has these values. */
export function pointsOf(points: Record<string, number>, column: string): string {
  const cases = Object.entries(points).map(([value, given]) => `WHEN '${value}' THEN ${given}`);
  return `CASE ${column} ${cases.join(" ")} END`;
}

/** In the words of the indexes that have the due day. */
export const dueFirst = dayKey("t.due_date", "infinity");

/** In place of the points of what is overdue, which are negative because the most come first. */
const stages = { due: 1000, finished: 2000 };

/**
 * `day` is a parameter. As what is late depends on it, it is a key that is the same in all rows: so
 * cursors have it, and further pages go by the day of the first.
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

/** The last row of a page by the keys of the order. */
export interface UrgencyPosition {
  day: string;
  stage: number;
  due: string;
  points: number;
  id: string;
}

export function readPosition({ value = "", id }: Position): UrgencyPosition {
  const [day, stage, due, points] = value.slice(1, -1).split(",");
  // Orders of before had other keys.
  if (day === undefined || due === undefined || points === undefined) throw wrongCursor();
  return { day, stage: Number(stage), due, points: -Number(points), id };
}

/** Due day and id that rows come behind. */
type Start = readonly [due: string, id: string];

const beforeAll: Start = ["-infinity", ""];

/** Where the open tasks of so many points for criticality and priority go on, if any are left. */
function startOfOpen(points: number, last: UrgencyPosition | undefined): Start | undefined {
  if (last === undefined) return beforeAll;
  const { stage, due, id } = last;
  if (stage === stages.finished) return undefined;
  if (stage < stages.due) return startOfOverdue(points, last);
  if (points <= last.points) return [due, points === last.points ? id : ""];
  return due === "infinity" ? undefined : [addDays(due, 1), ""];
}

function startOfOverdue(points: number, { day, stage, due, id }: UrgencyPosition): Start {
  // So many days late are as urgent as the last row.
  const days = Math.max(-stage - points, 0);
  if (days > maxLatePoints) return beforeAll;
  const equal = addDays(day, -days);
  if (due === equal || (due < equal && days === maxLatePoints)) return [due, id];
  return due < equal ? [equal, ""] : [addDays(equal, 1), ""];
}

interface UrgencySql {
  /** ORDER BY, of the page. */
  sorted: string;
  last: UrgencyPosition | undefined;
  open: boolean;
  finished: boolean;
}

/**
 * Of equal criticality and priority, open tasks come in the order of their due days, in which indexes
 * have them: of each such group the first are looked up, and of them all the first of the page.
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
    // Only when it is asked for: a parameter that nothing uses has no type.
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

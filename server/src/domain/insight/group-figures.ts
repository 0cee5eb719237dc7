import type { Tx } from "../../db/database.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { figuresOnDays, type OnDays } from "./figures-on-days.js";
import { isCountedFigure } from "./figures.js";
import { addToday, type Grouping, type StatsRequest } from "./stats-request.js";

/**
 * Figure kinds per group. `planned` compares work with its due date. `task`, `asset` and `purchase`
 * describe the present.
 */
const kinds = ["work", "cost", "failure", "planned", "task", "asset", "purchase"] as const;
export type Kind = (typeof kinds)[number];
/** Kinds dated by the day the work was completed or the failure happened. */
const ofWork: readonly Kind[] = ["work", "cost", "failure"];
/**
 * Kinds without a meaning in a grouping: months have no open work, types have no assets, and only
 * completed work has a completer.
 */
const leftOut: Partial<Record<Grouping, readonly Kind[]>> = {
  completed_by: ["task", "asset", "purchase"],
  month: ["task", "asset", "purchase"],
  task_type: ["asset", "purchase"],
};

export interface GroupFigure {
  kind: Kind;
  /** Null if there is no workspace, category or person. */
  group: string | null;
  /** Of the workspace, category or person. */
  name: string | null;
  /** A second dimension, such as the currency. */
  of: string;
  /** Index of the time segment, from 1. */
  segment: number;
  /** For open work: the due date has passed. */
  is_late: boolean;
  n: number;
  amount: number;
}

/** Calendar days in the organization's time zone, inclusive. */
export interface Days {
  from: string;
  to: string;
}

export interface GroupPeriod {
  /** Due dates of planned work. */
  days: Days;
  /**
   * The start of each time segment and the end of the last one. By month, each month is a segment.
   */
  bounds: readonly Date[];
}

/** Category and person have separate figure kinds. So does open work by type. */
function storedKind(grouping: Grouping, kind: Kind): string {
  if (grouping === "category") return `${kind}_of_category`;
  if (grouping === "assignee") return `${kind}_of_person`;
  if (grouping === "completed_by") return `${kind}_of_completer`;
  return grouping === "task_type" && kind === "task" ? "task_of_type" : kind;
}

/** SQL for the group and the rest of a key. See `db/functions/figures_of.*.sql`. */
function groupSql(grouping: Grouping): { group: string; of: string } {
  const first = "split_part(f.key, ' ', 1)";
  switch (grouping) {
    case "workspace":
      return { group: "f.workspace_id", of: first };
    case "category":
    case "assignee":
    case "completed_by":
      return { group: first, of: "split_part(f.key, ' ', 2)" };
    case "task_type":
      return { group: "split_part(f.key, ' ', -1)", of: first };
    case "month":
      return {
        group: "CASE WHEN f.kind = 'planned' THEN to_char(f.day, 'YYYY-MM') END",
        of: first,
      };
  }
}

// A task or asset that is visible also shows its assignee or completer, even after that person
// left.
const people = `SELECT m.user_id AS id, u.name FROM organization_members m
  JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`;

const namesOf: Partial<Record<Grouping, string>> = {
  workspace: "SELECT w.id, w.name::text AS name FROM workspaces w WHERE w.organization_id = $1",
  category:
    "SELECT c.id, c.name::text AS name FROM asset_categories c WHERE c.organization_id = $1",
  assignee: people,
  completed_by: people,
};

export async function findGroupFigures(
  db: Tx,
  request: StatsRequest,
  grouping: Grouping,
  { days, bounds }: GroupPeriod,
  without: readonly Kind[],
): Promise<GroupFigure[]> {
  const parameters = createParameters(request.caller.organizationId);
  const { add } = parameters;
  const today = addToday(request, parameters);
  const omitted = [...without, ...(leftOut[grouping] ?? [])];
  const counted = kinds.filter((kind) => !omitted.includes(kind));
  const isOf = (...some: Kind[]) => {
    const stored = counted.filter((kind) => some.includes(kind));
    return `f.kind = ANY (${add(stored.map((kind) => storedKind(grouping, kind)))}::text[])`;
  };
  const isOfWork = counted.some((kind) => ofWork.includes(kind));
  const work = isOfWork ? `${workIn(bounds, isOf(...ofWork), parameters)} UNION ALL` : "";
  const { group, of } = groupSql(grouping);
  const names = namesOf[grouping] ?? "SELECT NULL AS id, NULL AS name WHERE FALSE";
  const rows = await db.query<Omit<GroupFigure, "kind"> & { kind: string }>(
    `SELECT figure.*, named.name FROM (
     SELECT split_part(f.kind, '_of_', 1) AS kind, nullif(${group}, '') AS "group",
       ${of} AS of, f.segment, f.segment = 0 AND f.day < ${today} AS is_late,
       sum(f.n)::int AS n, sum(f.amount)::float8 AS amount
     FROM (${work}
       SELECT f.level, f.workspace_id, f.kind, f.key, f.day, f.n, f.amount, 0 AS segment
       FROM figures f WHERE f.organization_id = $1
         AND ${isOf("planned", "task", "asset", "purchase")} AND (
         ${isOf("planned")} AND f.day BETWEEN ${add(days.from)}::date AND ${add(days.to)}::date
           AND (f.day < ${today} OR ${of} <> 'open')
         OR ${isOf("task")} AND f.day > '-infinity'
         OR ${isOf("asset", "purchase")} AND f.key NOT LIKE 'deleted %')
     ) f WHERE ${isCountedFigure(request, parameters, { each: grouping === "workspace" })}
     GROUP BY 1, 2, 3, 4, 5 HAVING sum(f.n) <> 0 OR sum(f.amount) <> 0) figure
     LEFT JOIN (${names}) named ON named.id = figure."group" ORDER BY figure.of`,
    parameters.values,
  );
  return rows as GroupFigure[];
}

/**
 * Figures of completed work between the first and last bound, by segment. UTC days that contain a
 * bound are read from the rows themselves, as level-0 figures.
 */
function workIn(bounds: readonly Date[], isWork: string, { add }: Parameters): string {
  const at = `${add(bounds)}::timestamptz[]`;
  const dayOf = (instant: Date) => instant.toISOString().slice(0, 10);
  const isMidnight = (instant: Date) => instant.getTime() % 86_400_000 === 0;
  const cut = add([...new Set(bounds.filter((bound) => !isMidnight(bound)).map(dayOf))]);
  const [first, last] = [
    add(dayOf(bounds[0] ?? new Date(0))),
    add(dayOf(bounds.at(-1) ?? new Date(0))),
  ];
  const onCutDays = (rows: Omit<OnDays, "days">) =>
    `SELECT 0, coalesce(f.workspace_id, ''), f.kind, f.key, f.day, f.n, f.amount,
       width_bucket(x.at, ${at}) AS segment
     FROM ${figuresOnDays({ days: cut, ...rows })} WHERE ${isWork}`;
  const segments = `SELECT f.level, f.workspace_id, f.kind, f.key, f.day, f.n, f.amount,
      width_bucket(f.day, ${add(bounds.map(dayOf))}::date[]) AS segment
    FROM figures f WHERE f.organization_id = $1 AND ${isWork}
      AND f.day BETWEEN ${first}::date AND ${last}::date AND f.day <> ALL (${cut}::date[])
    UNION ALL
    ${onCutDays({
      table: "maintenance_tasks",
      instant: "completed_at",
      isMeant: "x.state = 'completed'",
    })}
    UNION ALL
    ${onCutDays({
      table: "asset_state_periods",
      instant: "started_at",
      isMeant: "x.is_failure AND NOT x.hidden",
    })}`;
  return `SELECT * FROM (${segments}) f WHERE f.segment BETWEEN 1 AND ${bounds.length - 1}`;
}

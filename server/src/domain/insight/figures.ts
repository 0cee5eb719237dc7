import type { Tx } from "../../db/database.js";
import { visibleFigureSql } from "../access/visibility.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { addFrom, addToday, type StatsRequest } from "./stats-request.js";

/** Kinds in the table `figures`, see its migration. Kinds that count by group are omitted. */
const kinds = [
  ...["asset", "created_asset", "asset_of_person", "not_placed", "warranty", "purchase", "task"],
  ...["assigned_task", "planned", "work", "cost", "repair", "up", "down", "idle", "failure"],
] as const;
type Kind = (typeof kinds)[number];

/**
 * Position of a figure's day relative to today, or to the first day of the period. `first_day`
 * covers events on that day since the period began, read from the rows themselves.
 */
type When =
  "past" | "today" | "week" | "month" | "quarter" | "later" | "before" | "after" | "first_day";

export const inPeriod: readonly When[] = ["first_day", "after"];

interface Sum {
  kind: Kind;
  key: string;
  at: When;
  n: number;
  /** For `up` and `down`, the seconds since the period began. */
  amount: number;
  first_day: string;
}

type IsMeant = (key: string) => boolean;

export interface Figures {
  count: (kind: Kind, at?: readonly When[], isMeant?: IsMeant) => number;
  amount: (kind: Kind, at?: readonly When[]) => number;
  /** Ordered by key. */
  each: (kind: Kind, at?: readonly When[]) => { key: string; amount: number }[];
  /** The earliest counted day. Undefined if nothing is counted. */
  firstDay: (kind: Kind, at: readonly When[], isMeant: IsMeant) => string | undefined;
}

/**
 * SQL condition: the figures row `f` belongs to the request. With `each`, each row covers one
 * workspace.
 */
export function isCountedFigure(
  request: StatsRequest,
  parameters: Parameters,
  { each = false } = {},
): string {
  const { caller, workspaceId } = request;
  if (workspaceId === undefined) return visibleFigureSql(caller, parameters, "f", { each });
  return `(f.level IN (0, 1) AND f.workspace_id = ${parameters.add(workspaceId)})`;
}

/** Level-0 figures of the period's first day, from the moment the period began. */
function onFirstDay(request: StatsRequest, parameters: Parameters): string {
  const from = addFrom(request, parameters);
  const dayEnd = `(((${from} AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC')`;
  const figuresOf = (table: string, instant: string, kinds: string) =>
    `SELECT 0 AS level, coalesce(f.workspace_id, '') AS workspace_id, f.kind, f.key, f.day, f.n,
       f.amount, 'first_day' AS at
     FROM ${table} x, figures_of(x) f WHERE x.organization_id = $1 AND x.${instant} >= ${from}
       AND x.${instant} < ${dayEnd} AND ${kinds}`;
  return [
    figuresOf("assets", "created_at", "f.kind = 'created_asset'"),
    figuresOf(
      "maintenance_tasks",
      "completed_at",
      "x.state = 'completed' AND f.kind IN ('work', 'cost', 'repair', 'failure')",
    ),
    figuresOf(
      "asset_state_periods",
      "started_at",
      "f.n = 1 AND f.kind IN ('up', 'down', 'failure')",
    ),
    figuresOf("asset_state_periods", "ended_at", "f.n = -1"),
    figuresOf("asset_state_periods", "idle_since", "x.ended_at IS NULL AND f.kind = 'idle'"),
  ].join(" UNION ALL ");
}

export async function sumFigures(db: Tx, request: StatsRequest): Promise<Figures> {
  const parameters = createParameters(request.caller.organizationId);
  const today = addToday(request, parameters);
  const from = addFrom(request, parameters);
  const firstDay = `(${from} AT TIME ZONE 'UTC')::date`;
  const days = `${parameters.add(request.days)}::int`;
  const rows = await db.query<Sum>(
    `SELECT kind, key, at, sum(n)::int AS n, min(day)::text AS first_day,
       sum(CASE WHEN kind IN ('up', 'down') THEN amount - n * extract(epoch FROM ${from})
         ELSE amount END)::float8 AS amount
     FROM (SELECT f.kind, f.key, f.day, f.at, sum(f.n) AS n, sum(f.amount) AS amount FROM (
         SELECT f.level, f.workspace_id, f.kind, f.key, f.day, f.n, f.amount, CASE
           WHEN f.kind IN ('task', 'warranty') THEN CASE WHEN f.day < ${today} THEN 'past'
             WHEN f.day = ${today} THEN 'today' WHEN f.day < ${today} + 7 THEN 'week'
             WHEN f.day < ${today} + 30 THEN 'month' WHEN f.day < ${today} + 90 THEN 'quarter'
             ELSE 'later' END
           WHEN f.kind = 'planned' THEN CASE WHEN f.day BETWEEN ${today} - ${days} AND ${today}
             AND NOT (f.key LIKE 'open %' AND f.day = ${today}) THEN 'after' ELSE 'before' END
           WHEN f.day > ${firstDay} THEN 'after' ELSE 'before' END AS at
         FROM figures f WHERE f.organization_id = $1 AND f.kind = ANY ('{${kinds.join()}}')
           AND (f.kind = ANY ('{asset,not_placed,task,warranty,purchase,planned,up,down}')
             OR (f.kind IN ('asset_of_person', 'assigned_task') AND f.key = '')
             OR (f.kind = ANY ('{work,cost,repair,created_asset,idle,failure}')
               AND f.day > ${firstDay}))
         UNION ALL
         ${onFirstDay(request, parameters)}
       ) f WHERE ${isCountedFigure(request, parameters)}
       GROUP BY f.kind, f.key, f.day, f.at HAVING sum(f.n) <> 0 OR sum(f.amount) <> 0
     ) figure GROUP BY kind, key, at ORDER BY kind, key`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
  const find = (kind: Kind, at?: readonly When[], isMeant: IsMeant = () => true) =>
    rows.filter(
      (row) => row.kind === kind && (at === undefined || at.includes(row.at)) && isMeant(row.key),
    );
  return {
    count: (...which) => find(...which).reduce((total, { n }) => total + n, 0),
    amount: (...which) => find(...which).reduce((total, { amount }) => total + amount, 0),
    each: find,
    firstDay: (...which) =>
      find(...which)
        .map(({ first_day }) => first_day)
        .toSorted()[0],
  };
}

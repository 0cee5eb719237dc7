import type { Tx } from "../../db/database.js";
import { visibleFigureSql } from "../access/visibility.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { addDays } from "../shared/dates.js";
import { figuresOnDays, type OnDays } from "./figures-on-days.js";
import { addToday, type StatsRequest } from "./stats-request.js";

/** Kinds in the table `figures`, see its migration. Kinds that count by group are omitted. */
const kinds = [
  ...["asset", "created_asset", "asset_of_person", "not_placed", "warranty", "purchase", "task"],
  ...["assigned_task", "planned", "work", "cost", "repair", "up", "down", "idle", "failure"],
] as const;
type Kind = (typeof kinds)[number];

/**
 * Position of a figure's day relative to today, or to the period. Only work due in the period is
 * counted as planned.
 */
type When =
  "past" | "today" | "week" | "month" | "quarter" | "later" | "before" | "period" | "after";

interface Sum {
  kind: Kind;
  key: string;
  at: When;
  n: number;
  /** For `up` and `down`, the seconds since the period began. */
  amount: number;
  first_day: string;
}

type SegmentSum = Omit<Sum, "at"> & {
  /** For tasks and warranties. */
  band: When | null;
  /** 0 is before the first period. */
  segment: number;
};

type IsMeant = (key: string) => boolean;

export interface Figures {
  count: (kind: Kind, at?: readonly When[], isMeant?: IsMeant) => number;
  amount: (kind: Kind, at?: readonly When[]) => number;
  /** Ordered by key. */
  each: (kind: Kind, at?: readonly When[]) => { key: string; amount: number }[];
  /** The earliest counted day. Undefined if nothing is counted. */
  firstDay: (kinds: readonly Kind[], at?: readonly When[], isMeant?: IsMeant) => string | undefined;
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

/**
 * Sums up the figures for the last `days` days, and for the preceding periods of equal length. The
 * result returns the figures of a period, where 0 is the last one. UTC days on which a period begins
 * are read from the rows themselves, as level-0 figures.
 */
export async function sumFigures(
  db: Tx,
  request: StatsRequest,
  periods = 1,
): Promise<(periodsAgo: number) => Figures> {
  const { now, days, caller } = request;
  const parameters = createParameters(caller.organizationId);
  const { add } = parameters;
  const today = addToday(request, parameters);
  const back = Array.from({ length: periods }, (_, at) => (periods - at) * days);
  const starts = back.map((count) => new Date(now.getTime() - count * 86_400_000));
  const at = `${add(starts)}::timestamptz[]`;
  const cut = add(starts.map((start) => start.toISOString().slice(0, 10)));
  const dueFrom = `${add(back.map((count) => addDays(request.today, -count)))}::date[]`;
  const onCutDays = (rows: Omit<OnDays, "days">, isCounted: string) =>
    `SELECT 0, coalesce(f.workspace_id, ''), f.kind, f.key, f.day, f.n, f.amount, NULL,
       width_bucket(x.at, ${at})
     FROM ${figuresOnDays({ days: cut, ...rows })} WHERE ${isCounted}`;
  const ofPeriods = "asset_state_periods";
  const rows = await db.query<SegmentSum>(
    `SELECT kind, key, band, segment, sum(n)::int AS n, min(day)::text AS first_day,
       sum(CASE WHEN kind IN ('up', 'down')
         THEN amount - n * extract(epoch FROM (${at})[greatest(segment, 1)]) ELSE amount END)::float8 AS amount
     FROM (SELECT f.kind, f.key, f.day, f.band, f.segment, sum(f.n) AS n, sum(f.amount) AS amount FROM (
         SELECT f.level, f.workspace_id, f.kind, f.key, f.day, f.n, f.amount,
           CASE WHEN f.kind IN ('task', 'warranty') THEN CASE WHEN f.day < ${today} THEN 'past'
             WHEN f.day = ${today} THEN 'today' WHEN f.day < ${today} + 7 THEN 'week'
             WHEN f.day < ${today} + 30 THEN 'month' WHEN f.day < ${today} + 90 THEN 'quarter'
             ELSE 'later' END END AS band,
           CASE f.kind WHEN 'task' THEN 0 WHEN 'warranty' THEN 0
             WHEN 'planned' THEN width_bucket(f.day, ${dueFrom})
             ELSE width_bucket(f.day, ${cut}::date[]) END AS segment
         FROM figures f WHERE f.organization_id = $1 AND f.kind = ANY ('{${kinds.join()}}')
           AND (f.kind = ANY ('{asset,not_placed,task,warranty,purchase}')
             OR (f.kind IN ('asset_of_person', 'assigned_task') AND f.key = '')
             OR (f.kind = 'planned' AND f.day BETWEEN (${dueFrom})[1] AND ${today}
               AND NOT (f.key LIKE 'open %' AND f.day = ${today}))
             OR (f.kind IN ('up', 'down') AND f.day <> ALL (${cut}::date[]))
             OR (f.kind = ANY ('{work,cost,repair,created_asset,idle,failure}')
               AND f.day > (${cut}::date[])[1] AND f.day <> ALL (${cut}::date[])))
         UNION ALL
         ${[
           onCutDays({ table: "assets", instant: "created_at" }, "f.kind = 'created_asset'"),
           onCutDays(
             {
               table: "maintenance_tasks",
               instant: "completed_at",
               isMeant: "x.state = 'completed'",
             },
             "f.kind IN ('work', 'cost', 'repair', 'failure')",
           ),
           onCutDays(
             { table: ofPeriods, instant: "started_at" },
             "f.n = 1 AND f.kind IN ('up', 'down', 'failure')",
           ),
           onCutDays({ table: ofPeriods, instant: "ended_at" }, "f.n = -1"),
           onCutDays(
             { table: ofPeriods, instant: "idle_since", isMeant: "x.ended_at IS NULL" },
             "f.kind = 'idle'",
           ),
         ].join(" UNION ALL ")}
       ) f WHERE ${isCountedFigure(request, parameters)}
       GROUP BY f.kind, f.key, f.day, f.band, f.segment HAVING sum(f.n) <> 0 OR sum(f.amount) <> 0
     ) figure GROUP BY kind, key, band, segment ORDER BY kind, key`,
    parameters.values,
  );
  return (periodsAgo) => toFigures(rows, periods - periodsAgo);
}

function toFigures(sums: readonly SegmentSum[], period: number): Figures {
  const rows = sums.map(({ band, segment, ...sum }): Sum => {
    const at = segment < period ? "before" : "after";
    return { ...sum, at: band ?? (segment === period ? "period" : at) };
  });
  const find = (kind: Kind, at?: readonly When[], isMeant: IsMeant = () => true) =>
    rows.filter(
      (row) => row.kind === kind && (at === undefined || at.includes(row.at)) && isMeant(row.key),
    );
  return {
    count: (...which) => find(...which).reduce((total, { n }) => total + n, 0),
    amount: (...which) => find(...which).reduce((total, { amount }) => total + amount, 0),
    each: find,
    firstDay: (kinds, ...which) =>
      kinds
        .flatMap((kind) => find(kind, ...which))
        .map(({ first_day }) => first_day)
        .toSorted()[0],
  };
}

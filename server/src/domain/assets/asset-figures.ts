import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import { visibleTaskSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import {
  downStates,
  failuresIn,
  isCompletedSince,
  isRepair,
  repairHours,
  secondsIn,
  toMtbfDays,
  toMttrHours,
  toOperatingDays,
  toPercent,
  upStates,
} from "./reliability.js";
import { totalCost } from "../tasks/task-costs.js";

export interface AssetFigures {
  /** By currency. Null if no costs are recorded. */
  cost_365d: Record<string, number> | null;
  /**
   * Time in a down state, plus downtime that completed tasks recorded while the asset was not in
   * one.
   */
  downtime_minutes_365d: number;
  /** Start of the current uninterrupted downtime, if there is one. */
  down_since: Date | null;
  availability_percent: number | null;
  failures_365d: number;
  operating_days: number;
  mtbf_days: number | null;
  mttr_hours: number | null;
}

export interface AssetFiguresRow {
  cost: Record<string, number> | null;
  /** Minutes that tasks recorded in addition to the down states. */
  recorded: number;
  /** A string, as in JSON. */
  down_since: string | null;
  hours: number;
  repairs: number;
  failures: number;
  /** Seconds. */
  up: number;
  down: number;
}

const days = 365;

/** Parameters $4 and $5 of `assetFiguresSql`. */
export function assetFiguresPeriod(caller: Caller): [from: Date, until: Date] {
  const now = nowOf(caller);
  return [new Date(now.getTime() - days * 86_400_000), now];
}

/**
 * Query for one AssetFiguresRow. $1 is the organization, $2 the asset. `assetFiguresPeriod` returns
 * $4 and $5.
 */
export const assetFiguresSql = writeAssetFiguresSql("$4::timestamptz", "$5::timestamptz");

function writeAssetFiguresSql(from: string, now: string): string {
  const period = { from, now };
  const work = `FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.asset_id = $2
    AND ${isCompletedSince("t", from)}`;
  const failures = failuresIn(from, { ofTask: "t.asset_id = $2", ofPeriod: "p.asset_id = $2" });
  const secondsOf = (states: string) =>
    `(SELECT coalesce(sum(${secondsIn("p", period)}), 0) FROM asset_state_periods p
      WHERE p.organization_id = $1 AND p.asset_id = $2 AND p.state IN ${states})`;
  return `SELECT work.recorded, work.hours, work.repairs,
       (SELECT jsonb_object_agg(currency, cost) FROM (
          SELECT t.currency, sum(${totalCost("t")})::float8 AS cost ${work} GROUP BY t.currency
        ) costs WHERE cost IS NOT NULL) AS cost,
       (SELECT count(*)::int FROM (${failures}) failure) AS failures,
       ${secondsOf(upStates)} AS up, ${secondsOf(downStates)} AS down,
       (SELECT min(p.started_at) FROM asset_state_periods p
        WHERE p.organization_id = $1 AND p.asset_id = $2 AND p.state IN ${downStates}
          AND EXISTS (SELECT FROM asset_state_periods n WHERE n.organization_id = $1
            AND n.asset_id = $2 AND n.ended_at IS NULL AND n.state IN ${downStates})
          AND p.started_at >= (SELECT coalesce(max(o.ended_at), '-infinity')
            FROM asset_state_periods o WHERE o.organization_id = $1 AND o.asset_id = $2
              AND o.state NOT IN ${downStates})) AS down_since
     FROM (SELECT coalesce(sum(greatest(t.downtime_minutes - ${minutesDown("t")}, 0)), 0)::float8 AS recorded,
         coalesce(sum(${repairHours("t")}) FILTER (WHERE ${isRepair("t", from)}), 0) AS hours,
         count(${repairHours("t")}) FILTER (WHERE ${isRepair("t", from)})::int AS repairs ${work}
       ) work`;
}

/** Minutes in a down state during the downtime that a task recorded. They are counted already. */
function minutesDown(task: string): string {
  const from = `${task}.completed_at - ${task}.downtime_minutes * interval '1 minute'`;
  return `(SELECT coalesce(sum(${secondsIn("d", { from, now: `${task}.completed_at` })}), 0) / 60
    FROM asset_state_periods d WHERE d.organization_id = $1 AND d.asset_id = $2
      AND d.state IN ${downStates} AND d.started_at <= ${task}.completed_at)`;
}

export function toAssetFigures(row: AssetFiguresRow): AssetFigures {
  return {
    cost_365d: row.cost,
    downtime_minutes_365d: Math.round(row.down / 60 + row.recorded),
    down_since: row.down_since === null ? null : new Date(row.down_since),
    availability_percent: toPercent(row.up, row.up + row.down),
    failures_365d: row.failures,
    operating_days: toOperatingDays(row.up),
    mtbf_days: toMtbfDays(row.up, row.failures),
    mttr_hours: toMttrHours(row.hours, row.repairs),
  };
}

/** Number of repairs behind the mean time to repair, in the last 365 days. */
export async function countTimedRepairs(db: Tx, caller: Caller, assetId: string): Promise<number> {
  const [from] = assetFiguresPeriod(caller);
  const parameters = createParameters(caller.organizationId, assetId, from);
  const row = await db.maybe<{ repairs: number }>(
    `SELECT count(${repairHours("t")})::int AS repairs FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isRepair("t", "$3::timestamptz")}
       AND ${visibleTaskSql(caller, parameters, "t")}`,
    parameters.values,
  );
  return row?.repairs ?? 0;
}

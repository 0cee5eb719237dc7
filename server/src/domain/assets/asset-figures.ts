import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import { createParameters, type Parameters } from "../sql/parameters.js";
import {
  failuresIn,
  isCompletedSince,
  isRepair,
  repairHours,
  secondsIn,
  toMtbfDays,
  toMttrHours,
  upStates,
} from "./reliability.js";
import { totalCost } from "../tasks/task-costs.js";

/** Cost and reliability of one asset over the last 365 days. */
export interface AssetFigures {
  /** By currency; null when no costs are recorded. */
  cost_365d: Record<string, number> | null;
  /** As completed tasks recorded it. */
  downtime_minutes_365d: number | null;
  failures_365d: number;
  mtbf_days: number | null;
  mttr_hours: number | null;
}

export interface AssetFiguresRow {
  cost: Record<string, number> | null;
  downtime: number | null;
  hours: number;
  repairs: number;
  failures: number;
  up: number;
}

const days = 365;

/** A query for one AssetFiguresRow. Its $1 is the organization, its $2 the asset. */
export function assetFiguresSql(caller: Caller, { add }: Parameters): string {
  const now = nowOf(caller);
  const from = `${add(new Date(now.getTime() - days * 86_400_000))}::timestamptz`;
  const period = { from, now: `${add(now)}::timestamptz` };
  const work = `FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.asset_id = $2
    AND ${isCompletedSince("t", from)}`;
  const failures = failuresIn(from, { ofTask: "t.asset_id = $2", ofPeriod: "p.asset_id = $2" });
  return `SELECT work.downtime, work.hours, work.repairs,
       (SELECT jsonb_object_agg(currency, cost) FROM (
          SELECT t.currency, sum(${totalCost("t")})::float8 AS cost ${work} GROUP BY t.currency
        ) costs WHERE cost IS NOT NULL) AS cost,
       (SELECT count(*)::int FROM (${failures}) failure) AS failures,
       (SELECT coalesce(sum(${secondsIn("p", period)}), 0) FROM asset_state_periods p
        WHERE p.organization_id = $1 AND p.asset_id = $2 AND p.state IN ${upStates}) AS up
     FROM (SELECT sum(t.downtime_minutes)::float8 AS downtime,
         coalesce(sum(${repairHours("t")}) FILTER (WHERE ${isRepair("t", from)}), 0) AS hours,
         count(${repairHours("t")}) FILTER (WHERE ${isRepair("t", from)})::int AS repairs ${work}
       ) work`;
}

export function toAssetFigures(row: AssetFiguresRow): AssetFigures {
  return {
    cost_365d: row.cost,
    downtime_minutes_365d: row.downtime,
    failures_365d: row.failures,
    mtbf_days: toMtbfDays(row.up, row.failures),
    mttr_hours: toMttrHours(row.hours, row.repairs),
  };
}

/** How many repairs of the same 365 days the mean time to repair is of. */
export async function countTimedRepairs(
  db: EntityManager,
  caller: Caller,
  assetId: string,
): Promise<number> {
  const { add, values } = createParameters(caller.organizationId, assetId);
  const from = `${add(new Date(nowOf(caller).getTime() - days * 86_400_000))}::timestamptz`;
  const rows: { repairs: number }[] = await db.query(
    `SELECT count(${repairHours("t")})::int AS repairs FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isRepair("t", from)}`,
    values,
  );
  return rows[0]?.repairs ?? 0;
}

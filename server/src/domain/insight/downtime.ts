import type { Tx } from "../../db/database.js";
import { downStates, secondsIn } from "../assets/reliability.js";
import { createParameters } from "../../db/parameters.js";
import { figuresOnDays } from "./figures-on-days.js";
import { isCountedFigure } from "./figures.js";
import { addFrom, isCounted, type StatsRequest } from "./stats-request.js";

interface Turn {
  /** The segment in which assets went down or came up again. 0 is before the first. */
  segment: number;
  /** Change in the number of assets that are down. */
  n: number;
  /** Sum of epoch seconds of each start of downtime, minus each end. */
  amount: number;
}

/**
 * Returns the hours that assets were down (in maintenance or out of service) between consecutive
 * bounds. For UTC days that contain a bound, the periods themselves are read, as in
 * `group-figures.ts`.
 */
export async function findDowntime(
  db: Tx,
  request: StatsRequest,
  bounds: readonly Date[],
): Promise<number[]> {
  const parameters = createParameters(request.caller.organizationId);
  const { add } = parameters;
  const at = `${add(bounds)}::timestamptz[]`;
  const days = [...new Set(bounds.map((bound) => bound.toISOString().slice(0, 10)))];
  const cut = add(days);
  const onCutDays = (instant: "started_at" | "ended_at", n: number) =>
    `SELECT 0, coalesce(f.workspace_id, ''), f.n, f.amount, width_bucket(x.at, ${at})
     FROM ${figuresOnDays({ days: cut, table: "asset_state_periods", instant, isMeant: `x.state IN ${downStates}` })}
     WHERE f.kind = 'down' AND f.n = ${n}`;
  const turns = await db.query<Turn>(
    `SELECT f.segment, sum(f.n)::int AS n, sum(f.amount)::float8 AS amount FROM (
       SELECT f.level, f.workspace_id, f.n, f.amount,
         width_bucket(f.day::timestamp AT TIME ZONE 'UTC', ${at}) AS segment
       FROM figures f WHERE f.organization_id = $1 AND f.kind = 'down' AND f.day <> ALL (${cut}::date[])
       UNION ALL
       ${onCutDays("started_at", 1)}
       UNION ALL
       ${onCutDays("ended_at", -1)}
     ) f WHERE ${isCountedFigure(request, parameters)} GROUP BY f.segment`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
  const untilBounds = bounds.map((bound, segment) => secondsUntil(bound, segment, turns));
  return untilBounds.slice(1).map((seconds, index) => {
    const hours = (seconds - (untilBounds[index] ?? 0)) / 3600;
    return Math.max(0, Math.round(hours * 10) / 10);
  });
}

/** Total downtime of all assets until a bound. Assets that are still down count until the bound. */
function secondsUntil(bound: Date, segment: number, turns: readonly Turn[]): number {
  const before = turns.filter((turn) => turn.segment <= segment);
  const down = before.reduce((total, { n }) => total + n, 0);
  return down * (bound.getTime() / 1000) - before.reduce((total, { amount }) => total + amount, 0);
}

export interface DownAsset {
  asset_id: string;
  inventory_number: string;
  name: string;
  hours: number;
}

/** Returns the assets with the longest downtime in the period. Ongoing downtime counts until now. */
export async function findLongestDown(
  db: Tx,
  request: StatsRequest,
  limit = 5,
): Promise<DownAsset[]> {
  const parameters = createParameters(request.caller.organizationId);
  const from = addFrom(request, parameters);
  const now = `${parameters.add(request.now)}::timestamptz`;
  return db.query(
    `SELECT top.asset_id, a.inventory_number, a.name, round(top.hours::numeric, 1)::float8 AS hours
     FROM (SELECT p.asset_id, sum(${secondsIn("p", { from, now })}) / 3600 AS hours
       FROM asset_state_periods p WHERE p.organization_id = $1 AND NOT p.hidden
         AND p.state IN ${downStates} AND coalesce(p.ended_at, 'infinity'::timestamptz) >= ${from}
         AND ${isCounted(request, parameters, "p")}
       GROUP BY p.asset_id ORDER BY hours DESC, p.asset_id LIMIT ${limit}) top
     JOIN assets a ON a.organization_id = $1 AND a.id = top.asset_id
     WHERE top.hours > 0 ORDER BY top.hours DESC, top.asset_id`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
}

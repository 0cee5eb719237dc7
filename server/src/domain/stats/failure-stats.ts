import type { EntityManager } from "typeorm";
import { createParameters } from "../sql/parameters.js";
import {
  downStates,
  failuresIn,
  secondsIn,
  toMtbfDays,
  toPercent,
  upStates,
} from "../assets/reliability.js";
import { customPlan } from "../sql/custom-plan.js";
import { addPeriod, isCounted, type StatsRequest } from "./stats-request.js";

interface FailureRow {
  failures: number;
  /** Seconds up of the assets that failed. */
  up_of_failed: number;
  up: number;
  down: number;
  assets: number;
  asset_id: string | null;
  inventory_number: string;
  name: string;
  of_asset: number;
}

/** Failures, the time between them and availability, with the five assets that failed most. */
export async function findFailures(db: EntityManager, request: StatsRequest) {
  const parameters = createParameters(request.caller.organizationId);
  const period = addPeriod(request, parameters);
  const assets = `SELECT a.id FROM assets a WHERE a.organization_id = $1 AND a.state <> 'deleted'
    AND ${isCounted(request, parameters, "a")}`;
  const failures = failuresIn(period, {
    ofTask: `NOT t.hidden AND ${isCounted(request, parameters, "t")}`,
    ofPeriod: `p.asset_id IN (${assets})`,
  });
  const seconds = secondsIn("p", period);
  const rows: FailureRow[] = await db.query(
    `${customPlan}WITH failed AS MATERIALIZED (
       SELECT asset_id, count(*)::int AS failures FROM (${failures}) failure GROUP BY asset_id
     ), spent AS MATERIALIZED (
       SELECT p.asset_id,
         coalesce(sum(CASE WHEN p.state IN ${upStates} THEN ${seconds} END), 0) AS up,
         coalesce(sum(CASE WHEN p.state IN ${downStates} THEN ${seconds} END), 0) AS down
       FROM asset_state_periods p
       WHERE p.organization_id = $1 AND (p.ended_at IS NULL OR p.ended_at > ${period.from})
         AND (p.state IN ${upStates} OR p.state IN ${downStates}) AND p.asset_id IN (${assets})
       GROUP BY p.asset_id
     )
     SELECT totals.*, worst.* FROM
       (SELECT (SELECT coalesce(sum(f.failures), 0)::int FROM failed f) AS failures,
          (SELECT coalesce(sum(s.up), 0) FROM failed f JOIN spent s USING (asset_id)) AS up_of_failed,
          coalesce(sum(s.up), 0) AS up, coalesce(sum(s.down), 0) AS down,
          count(*) FILTER (WHERE s.up + s.down > 0)::int AS assets FROM spent s) totals
     LEFT JOIN (SELECT f.asset_id, a.inventory_number, a.name, f.failures AS of_asset
        FROM (SELECT * FROM failed ORDER BY failures DESC, asset_id LIMIT 5) f
        JOIN assets a ON a.organization_id = $1 AND a.id = f.asset_id) worst ON TRUE
     ORDER BY worst.of_asset DESC, worst.asset_id`,
    parameters.values,
  );
  const totals = rows[0];
  if (totals === undefined) throw new Error("Totals are always there.");
  return {
    failures: totals.failures,
    mtbf_days: toMtbfDays(totals.up_of_failed, totals.failures),
    availability_percent: toPercent(totals.up, totals.up + totals.down),
    availability_assets: totals.assets === 0 ? null : totals.assets,
    top_failure_assets: rows.flatMap(({ asset_id, inventory_number, name, of_asset }) =>
      asset_id === null ? [] : [{ asset_id, inventory_number, name, failures: of_asset }],
    ),
  };
}

import type { EntityManager } from "typeorm";
import { createParameters } from "../sql/parameters.js";
import {
  isCompletedSince,
  isRepair,
  repairHours,
  toMttrHours,
  toPercent,
} from "../assets/reliability.js";
import { totalCost } from "../tasks/task-costs.js";
import { isOpen } from "../tasks/task-states.js";
import { customPlan } from "../sql/custom-plan.js";
import { addFrom, addToday, isCounted, type StatsRequest } from "./stats-request.js";

interface WorkRow {
  type: string;
  currency: string | null;
  tasks: number;
  cost: number | null;
  hours: number;
  repairs: number;
}

/** What was completed in the period, what it cost by currency and type, and how long repairs took. */
export async function sumWork(db: EntityManager, request: StatsRequest) {
  const parameters = createParameters(request.caller.organizationId);
  const from = addFrom(request, parameters);
  const isTimed = `FILTER (WHERE ${isRepair("t", from)})`;
  const rows: WorkRow[] = await db.query(
    `${customPlan}SELECT t.type, t.currency::text AS currency, count(*)::int AS tasks,
       sum(${totalCost("t")})::float8 AS cost,
       coalesce(sum(${repairHours("t")}) ${isTimed}, 0) AS hours,
       count(${repairHours("t")}) ${isTimed}::int AS repairs
     FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND NOT t.hidden AND ${isCompletedSince("t", from)}
       AND ${isCounted(request, parameters, "t")}
     GROUP BY t.type, t.currency ORDER BY t.currency, t.type`,
    parameters.values,
  );
  const cost: Record<string, Record<string, number>> = {};
  for (const row of rows) {
    if (row.currency === null || row.cost === null) continue;
    cost[row.currency] = { ...cost[row.currency], [row.type]: row.cost };
  }
  const sum = (field: "tasks" | "hours" | "repairs") =>
    rows.reduce((total, row) => total + row[field], 0);
  const repairs = sum("repairs");
  return {
    completed_tasks: sum("tasks"),
    cost,
    mttr_hours: toMttrHours(sum("hours"), repairs),
    mttr_tasks: repairs === 0 ? null : repairs,
  };
}

export interface CostlyAsset {
  asset_id: string;
  inventory_number: string;
  name: string;
  cost: Record<string, number>;
}

/** The five assets whose work cost most in one currency, the organization's own before others. */
export async function findCostlyAssets(
  db: EntityManager,
  request: StatsRequest,
): Promise<CostlyAsset[]> {
  const parameters = createParameters(request.caller.organizationId);
  const from = addFrom(request, parameters);
  const own = parameters.add(request.caller.currency);
  const amount = `sum(${totalCost("t")})`;
  const work = `FROM maintenance_tasks t WHERE t.organization_id = $1 AND NOT t.hidden
    AND ${isCompletedSince("t", from)}`;
  const rows: (Omit<CostlyAsset, "cost"> & { currency: string; amount: number })[] = await db.query(
    `${customPlan}WITH top AS (
       SELECT t.asset_id, t.currency = ${own} AS is_own, ${amount} AS amount ${work}
         AND t.asset_id IS NOT NULL AND ${isCounted(request, parameters, "t")}
       GROUP BY t.asset_id, t.currency HAVING ${amount} > 0
       ORDER BY is_own DESC, amount DESC, t.asset_id LIMIT 5
     )
     SELECT a.id AS asset_id, a.inventory_number, a.name, spent.currency, spent.amount
     FROM top JOIN assets a ON a.organization_id = $1 AND a.id = top.asset_id
     CROSS JOIN LATERAL (SELECT t.currency::text AS currency, ${amount}::float8 AS amount ${work}
         AND t.asset_id = top.asset_id GROUP BY t.currency HAVING ${amount} > 0) spent
     ORDER BY top.is_own DESC, top.amount DESC, top.asset_id, spent.currency`,
    parameters.values,
  );
  const found = new Map<string, CostlyAsset>();
  for (const { currency, amount: cost, ...asset } of rows) {
    const { cost: others = {} } = found.get(asset.asset_id) ?? {};
    found.set(asset.asset_id, { ...asset, cost: { ...others, [currency]: cost } });
  }
  return [...found.values()];
}

/** How much later than its due day planned work may be done: a day, or a tenth of its interval. */
const allowance = `greatest(1, p.every * CASE p.unit
  WHEN 'day' THEN 1 WHEN 'week' THEN 7 WHEN 'month' THEN 30 ELSE 365 END / 10)`;

/**
 * How much of the planned work that was due in the period was done in time. What is due today and
 * still open is not judged yet, and what was cancelled before its due day was never due.
 */
export async function countPlannedWork(db: EntityManager, request: StatsRequest) {
  const { caller, days } = request;
  const parameters = createParameters(caller.organizationId);
  const today = addToday(request, parameters);
  const zone = parameters.add(caller.timeZone);
  const completedOn = `(t.completed_at AT TIME ZONE ${zone})::date`;
  const cancelledOn = `(t.cancelled_at AT TIME ZONE ${zone})::date`;
  const rows: { due: number; in_time: number }[] = await db.query(
    `${customPlan}SELECT count(*)::int AS due,
       count(*) FILTER (WHERE ${completedOn} <= t.due_date + coalesce(${allowance}, 1))::int
         AS in_time
     FROM maintenance_tasks t
     LEFT JOIN maintenance_plans p ON p.organization_id = t.organization_id AND p.id = t.plan_id
     WHERE t.organization_id = $1 AND NOT t.hidden
       AND t.type IN ('preventive', 'inspection', 'calibration', 'compliance_test')
       AND t.due_date BETWEEN ${today} - ${parameters.add(days)}::int AND ${today}
       AND NOT (${isOpen("t")} AND t.due_date = ${today})
       AND (t.cancelled_at IS NULL OR ${cancelledOn} >= t.due_date)
       AND ${isCounted(request, parameters, "t")}`,
    parameters.values,
  );
  const { due = 0, in_time: inTime = 0 } = rows[0] ?? {};
  return {
    pm_compliance_percent: toPercent(inTime, due),
    pm_tasks_due: due === 0 ? null : due,
  };
}

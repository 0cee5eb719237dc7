import type { EntityManager } from "typeorm";
import { failuresIn, isCompletedSince } from "../assets/reliability.js";
import { createParameters } from "../sql/parameters.js";
import { customPlan } from "../sql/custom-plan.js";
import { totalCost } from "../tasks/task-costs.js";
import { addFrom, isCounted, type StatsRequest } from "./stats-request.js";

const shown = 5;
/** No quarter has fewer days: what begins in one ends in the next at the latest. */
const daysOfQuarter = 90;
/** How many assets with the highest peaks are looked at before all are. */
const tries = [500, 10_000];

export interface FailingAsset {
  asset_id: string;
  inventory_number: string;
  name: string;
  failures: number;
}

/** The five assets that failed most in the period. */
export function findFailingAssets(
  db: EntityManager,
  request: StatsRequest,
): Promise<FailingAsset[]> {
  return findTop({
    limit: shown,
    findPeaks: (limit) => findPeaks(db, request, "failures", limit),
    find: (assetIds) => findFailing(db, request, assetIds),
    amountOf: ({ failures }) => failures,
  });
}

export interface CostlyAsset {
  asset_id: string;
  inventory_number: string;
  name: string;
  cost: Record<string, number>;
}

/** The five assets whose work cost most in one currency, the organization's own before others. */
export function findCostlyAssets(db: EntityManager, request: StatsRequest): Promise<CostlyAsset[]> {
  const { currency } = request.caller;
  return findTop({
    limit: shown,
    findPeaks: (limit) => findPeaks(db, request, currency, limit),
    othersCount: true,
    find: (assetIds) => findCostly(db, request, assetIds),
    amountOf: ({ cost }) => cost[currency] ?? 0,
  });
}

/** What no period of an asset exceeds that is as long as the one asked for and begins in the same year or quarter. */
export interface Peak {
  asset_id: string;
  amount: number;
}

interface Ranking<Found> {
  limit: number;
  /** The highest peaks; of equal ones, those of the lower ids. */
  findPeaks: (limit: number) => Promise<Peak[]>;
  /** Whether assets without a peak of the kind come after those with one, rather than not at all. */
  othersCount?: boolean;
  /** Those of the assets that come first, or of all assets. */
  find: (assetIds?: string[]) => Promise<Found[]>;
  /** By what they are ordered. */
  amountOf: (asset: Found) => number;
}

/**
 * Looks at the assets with the highest peaks, as long as one that was not looked at could belong to
 * the first.
 */
export async function findTop<Found extends { asset_id: string | null }>({
  limit,
  findPeaks: findHighest,
  othersCount = false,
  find,
  amountOf,
}: Ranking<Found>): Promise<Found[]> {
  for (const many of tries) {
    const peaks = await findHighest(many + 1);
    const found = await find(peaks.slice(0, many).map(({ asset_id }) => asset_id));
    const [last, next] = [found[limit - 1], peaks[many]];
    const hasEnough = last !== undefined && amountOf(last) > 0;
    if (next === undefined && (hasEnough || !othersCount)) return found;
    if (next === undefined || !hasEnough) continue;
    if (amountOf(last) > next.amount) return found;
    if (amountOf(last) === next.amount && (last.asset_id ?? "") < next.asset_id) return found;
  }
  return find();
}

async function findPeaks(
  db: EntityManager,
  request: StatsRequest,
  kind: string,
  limit: number,
): Promise<Peak[]> {
  const { now, days, caller } = request;
  const from = new Date(now.getTime() - days * 86_400_000);
  const year = String(from.getUTCFullYear());
  const quarter = `${year}Q${Math.floor(from.getUTCMonth() / 3) + 1}`;
  const beginsIn = days <= daysOfQuarter ? quarter : year;
  const parameters = createParameters(caller.organizationId, beginsIn, kind, limit);
  return db.query(
    `${customPlan}SELECT p.asset_id, p.amount::float8 AS amount FROM asset_peaks p
     WHERE p.organization_id = $1 AND p.begins_in = $2 AND p.kind = $3 AND p.amount > 0
       AND ${isCounted(request, parameters, "p")}
     ORDER BY p.amount DESC, p.asset_id LIMIT $4`,
    parameters.values,
  );
}

async function findFailing(
  db: EntityManager,
  request: StatsRequest,
  assetIds?: string[],
): Promise<FailingAsset[]> {
  const parameters = createParameters(request.caller.organizationId);
  const from = addFrom(request, parameters);
  const among = assetIds === undefined ? undefined : parameters.add(assetIds);
  const isMeant = (row: string) =>
    `NOT ${row}.hidden AND ${isCounted(request, parameters, row)}
     ${among === undefined ? "" : `AND ${row}.asset_id = ANY (${among})`}`;
  const failures = failuresIn(from, { ofTask: isMeant("t"), ofPeriod: isMeant("p") });
  return db.query(
    `${customPlan}SELECT top.asset_id, a.inventory_number, a.name, top.failures
     FROM (SELECT asset_id, count(*)::int AS failures FROM (${failures}) failure
       GROUP BY asset_id ORDER BY failures DESC, asset_id LIMIT ${shown}) top
     JOIN assets a ON a.organization_id = $1 AND a.id = top.asset_id
     ORDER BY top.failures DESC, top.asset_id`,
    parameters.values,
  );
}

async function findCostly(
  db: EntityManager,
  request: StatsRequest,
  assetIds?: string[],
): Promise<CostlyAsset[]> {
  const parameters = createParameters(request.caller.organizationId);
  const from = addFrom(request, parameters);
  const own = parameters.add(request.caller.currency);
  const among =
    assetIds === undefined
      ? "t.asset_id IS NOT NULL"
      : `t.asset_id = ANY (${parameters.add(assetIds)})`;
  const amount = `sum(${totalCost("t")})`;
  const work = `FROM maintenance_tasks t WHERE t.organization_id = $1 AND NOT t.hidden
    AND ${isCompletedSince("t", from)}`;
  const rows: (Omit<CostlyAsset, "cost"> & { currency: string; amount: number })[] = await db.query(
    `${customPlan}WITH top AS (
       SELECT t.asset_id, t.currency = ${own} AS is_own, ${amount} AS amount ${work}
         AND ${among} AND ${isCounted(request, parameters, "t")}
       GROUP BY t.asset_id, t.currency HAVING ${amount} > 0
       ORDER BY is_own DESC, amount DESC, t.asset_id LIMIT ${shown}
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

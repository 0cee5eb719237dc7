import type { Tx } from "../../db/database.js";
import { failuresIn, isCompletedSince } from "../assets/reliability.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { totalCost } from "../tasks/task-costs.js";
import { addFrom, isCounted, type StatsRequest } from "./stats-request.js";

const shown = 5;
/**
 * The shortest quarter. A period of this length that begins in one quarter ends in the next at the
 * latest.
 */
const daysOfQuarter = 90;
/** Number of top assets to check before all assets are checked. */
const tries = [500, 10_000];

export interface FailingAsset {
  asset_id: string;
  inventory_number: string;
  name: string;
  failures: number;
}

export function findFailingAssets(db: Tx, request: StatsRequest): Promise<FailingAsset[]> {
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

/**
 * The five assets with the highest cost in one currency. The organization's own currency comes
 * first.
 */
export async function findCostlyAssets(db: Tx, request: StatsRequest): Promise<CostlyAsset[]> {
  const { currency } = request.caller;
  const inOwn = await findTop({
    limit: shown,
    findPeaks: (limit) => findPeaks(db, request, "own currency", limit),
    find: (assetIds) => findCostly(db, request, "=", assetIds),
    amountOf: ({ cost }) => cost[currency] ?? 0,
  });
  if (inOwn.length === shown) return inOwn;
  const inOthers = await findTop({
    limit: shown,
    findPeaks: (limit) => findPeaks(db, request, "other currencies", limit),
    find: (assetIds) => findCostly(db, request, "<>", assetIds),
    amountOf: ({ cost }) => Math.max(...Object.values({ ...cost, [currency]: 0 })),
  });
  return [...inOwn, ...inOthers]
    .filter(({ asset_id: id }, place, all) => all.findIndex((one) => one.asset_id === id) === place)
    .slice(0, shown);
}

/**
 * Upper bound: no period of the requested length that begins in the same year or quarter exceeds
 * this amount.
 */
export interface Peak {
  asset_id: string;
  amount: number;
}

interface Ranking<Found> {
  limit: number;
  /** The highest peaks. Ties go to the lower id. */
  findPeaks: (limit: number) => Promise<Peak[]>;
  /** The top assets among the given ones, or among all. */
  find: (assetIds?: string[]) => Promise<Found[]>;
  amountOf: (asset: Found) => number;
}

/**
 * Checks the assets with the highest peaks. Stops when no unchecked asset can rank among the first.
 */
export async function findTop<Found extends { asset_id: string | null }>({
  limit,
  findPeaks: findHighest,
  find,
  amountOf,
}: Ranking<Found>): Promise<Found[]> {
  for (const many of tries) {
    const peaks = await findHighest(many + 1);
    if (peaks.length === 0) return [];
    const found = await find(peaks.slice(0, many).map(({ asset_id }) => asset_id));
    const [last, next] = [found[limit - 1], peaks[many]];
    if (next === undefined) return found;
    if (last === undefined) continue;
    if (amountOf(last) > next.amount) return found;
    if (amountOf(last) === next.amount && (last.asset_id ?? "") < next.asset_id) return found;
  }
  return find();
}

const peakKinds = {
  failures: () => "VALUES ('failures')",
  "own currency": (own: string) => `VALUES (${own})`,
  "other currencies": (own: string) => `SELECT DISTINCT left(f.key, 3) FROM figures f
    WHERE f.organization_id = $1 AND f.level IN (0, 2) AND f.kind = 'cost' AND left(f.key, 3) <> ${own}`,
};

async function findPeaks(
  db: Tx,
  request: StatsRequest,
  of: keyof typeof peakKinds,
  limit: number,
): Promise<Peak[]> {
  const { now, days, caller } = request;
  const from = new Date(now.getTime() - days * 86_400_000);
  const year = String(from.getUTCFullYear());
  const quarter = `${year}Q${Math.floor(from.getUTCMonth() / 3) + 1}`;
  const beginsIn = days <= daysOfQuarter ? quarter : year;
  const parameters = createParameters(caller.organizationId, beginsIn, limit);
  const own = of === "failures" ? "" : parameters.add(caller.currency);
  return db.query(
    `SELECT p.asset_id, p.amount::float8 AS amount
     FROM (${peakKinds[of](own)}) k (kind), LATERAL (
       SELECT p.asset_id, p.amount FROM asset_peaks p
       WHERE p.organization_id = $1 AND p.begins_in = $2 AND p.kind = k.kind AND p.amount > 0
         AND ${isCounted(request, parameters, "p")}
       ORDER BY p.amount DESC, p.asset_id LIMIT $3) p
     ORDER BY p.amount DESC, p.asset_id LIMIT $3`,
    parameters.values,
    { replan: caller.organizationId },
  );
}

/**
 * SQL condition: the row counts and belongs to one of the assets, or to any. Repeats the scope
 * check, because assets may move meanwhile.
 */
function isAmong(
  request: StatsRequest,
  parameters: Parameters,
  row: string,
  assetIds: string[] | undefined,
): string {
  const isOne =
    assetIds === undefined ? "IS NOT NULL" : `= ANY (${parameters.add(assetIds)}::text[])`;
  return `${row}.asset_id ${isOne} AND ${isCounted(request, parameters, row)}`;
}

async function findFailing(
  db: Tx,
  request: StatsRequest,
  assetIds?: string[],
): Promise<FailingAsset[]> {
  const parameters = createParameters(request.caller.organizationId);
  const from = addFrom(request, parameters);
  const isMeant = (row: string) =>
    `NOT ${row}.hidden AND ${isAmong(request, parameters, row, assetIds)}`;
  const failures = failuresIn(from, { ofTask: isMeant("t"), ofPeriod: isMeant("p") });
  return db.query(
    `SELECT top.asset_id, a.inventory_number, a.name, top.failures
     FROM (SELECT asset_id, count(*)::int AS failures FROM (${failures}) failure
       GROUP BY asset_id ORDER BY failures DESC, asset_id LIMIT ${shown}) top
     JOIN assets a ON a.organization_id = $1 AND a.id = top.asset_id
     ORDER BY top.failures DESC, top.asset_id`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
}

/** In the organization's own currency, or in all others. */
async function findCostly(
  db: Tx,
  request: StatsRequest,
  isOwn: "=" | "<>",
  assetIds?: string[],
): Promise<CostlyAsset[]> {
  const parameters = createParameters(request.caller.organizationId);
  const from = addFrom(request, parameters);
  const own = parameters.add(request.caller.currency);
  const amount = `sum(${totalCost("t")})`;
  const work = `FROM maintenance_tasks t WHERE t.organization_id = $1 AND NOT t.hidden
    AND ${isCompletedSince("t", from)}`;
  const rows = await db.query<Omit<CostlyAsset, "cost"> & { currency: string; amount: number }>(
    `WITH top AS (
       SELECT t.asset_id, ${amount} AS amount ${work} AND t.currency ${isOwn} ${own}
         AND ${isAmong(request, parameters, "t", assetIds)}
       GROUP BY t.asset_id, t.currency HAVING ${amount} > 0
       ORDER BY amount DESC, t.asset_id LIMIT ${shown}
     )
     SELECT a.id AS asset_id, a.inventory_number, a.name, spent.currency, spent.amount
     FROM top JOIN assets a ON a.organization_id = $1 AND a.id = top.asset_id
     CROSS JOIN LATERAL (SELECT t.currency::text AS currency, ${amount}::float8 AS amount ${work}
         AND t.asset_id = top.asset_id GROUP BY t.currency HAVING ${amount} > 0) spent
     ORDER BY top.amount DESC, top.asset_id, spent.currency`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
  const found = new Map<string, CostlyAsset>();
  for (const { currency, amount: cost, ...asset } of rows) {
    const { cost: others = {} } = found.get(asset.asset_id) ?? {};
    found.set(asset.asset_id, { ...asset, cost: { ...others, [currency]: cost } });
  }
  return [...found.values()];
}

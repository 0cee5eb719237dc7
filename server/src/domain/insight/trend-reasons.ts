import type { Tx } from "../../db/database.js";
import { addDays } from "../shared/dates.js";
import { findLongestDown, type DownAsset } from "./downtime.js";
import { findGroupFigures, type GroupFigure } from "./group-figures.js";
import type { StatsRequest } from "./stats-request.js";
import { findFailingAssets, type FailingAsset } from "./top-assets.js";

/** The category with the largest part of a total. */
export interface Reason {
  category: string;
  part: number;
  total: number;
}

export interface TrendReasons {
  /** Planned work that was late, or still is. */
  late: Reason | undefined;
  failures: Reason | undefined;
  /** By currency. */
  cost: Record<string, Reason | undefined>;
  /** The asset with the most failures. */
  failing: FailingAsset | undefined;
  /** The asset with the longest downtime. */
  down: DownAsset | undefined;
}

/** A part of a total explains it if it is more than a third, and the total isn't tiny. */
export function explains(part: number, total: number): boolean {
  return total >= 3 && part * 3 > total;
}

/** The main causes of the figures in the requested period. */
export async function findTrendReasons(db: Tx, request: StatsRequest): Promise<TrendReasons> {
  const { now, today, days } = request;
  const period = {
    days: { from: addDays(today, -days), to: today },
    bounds: [new Date(now.getTime() - days * 86_400_000), now],
  };
  const without = ["work", "task", "asset", "purchase"] as const;
  const [figures, [failing], [down]] = await Promise.all([
    findGroupFigures(db, request, "category", period, without),
    findFailingAssets(db, request),
    findLongestDown(db, request),
  ]);
  const currencies = [...new Set(figures.flatMap(({ kind, of }) => (kind === "cost" ? of : [])))];
  const late = toLargest(figures, ({ kind, of, n }) =>
    kind === "planned" && of !== "in_time" ? n : 0,
  );
  const failures = toLargest(figures, ({ kind, n }) => (kind === "failure" ? n : 0));
  const costs = currencies.map((currency) =>
    toLargest(figures, ({ kind, of, amount }) => (kind === "cost" && of === currency ? amount : 0)),
  );
  const named = (largest: Largest | undefined): Reason | undefined => {
    const category = figures.find(({ group }) => group === largest?.id)?.name;
    return largest && category ? { category, part: largest.part, total: largest.total } : undefined;
  };
  return {
    late: named(late),
    failures: named(failures),
    cost: Object.fromEntries(currencies.map((currency, index) => [currency, named(costs[index])])),
    failing,
    down,
  };
}

interface Largest {
  id: string;
  part: number;
  total: number;
}

/** Undefined if no category explains much of the total. */
function toLargest(
  figures: readonly GroupFigure[],
  amountOf: (figure: GroupFigure) => number,
): Largest | undefined {
  const parts = new Map<string | null, number>();
  for (const figure of figures) {
    parts.set(figure.group, (parts.get(figure.group) ?? 0) + amountOf(figure));
  }
  const total = [...parts.values()].reduce((sum, part) => sum + part, 0);
  const [largest] = [...parts].toSorted(([, left], [, right]) => right - left);
  if (largest === undefined || largest[0] === null || !explains(largest[1], total))
    return undefined;
  return { id: largest[0], part: largest[1], total };
}

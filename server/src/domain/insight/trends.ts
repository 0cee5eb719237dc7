import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { addDays, addMonths, startOfDay, startsOfMonths, firstOfMonth } from "../shared/dates.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { findDowntime, findLongestDown, type DownAsset } from "./downtime.js";
import { groupStats, type Group, type GroupedStats } from "./grouped-stats.js";
import { findTrendReasons, type TrendReasons } from "./trend-reasons.js";
import { getKeyFigures, keyDays, type KeyFigures } from "./organization-stats.js";
import { scopeOf, toStatsRequest, type StatsRequest, type StatsScope } from "./stats-request.js";
import {
  findCostlyAssets,
  findFailingAssets,
  type CostlyAsset,
  type FailingAsset,
} from "./top-assets.js";

/** The longest period for which peaks are stored. */
const daysOfWorst = 365;

export interface Month {
  /** YYYY-MM */
  month: string;
  planned_due: number;
  on_time_percent: number | null;
  completed_tasks: number;
  cost: Record<string, number>;
  failures: number;
  down_hours: number;
}

export interface Trends {
  scope: StatsScope;
  workspace: { id: string; name: string } | undefined;
  today: string;
  /** Twelve months. The last is the current month to date. */
  months: Month[];
  /** As on the home page. */
  key: KeyFigures;
  /** For the period of the key figures. */
  reasons: TrendReasons;
  /** For these months. Undefined if the request covers a single workspace. */
  workspaces: GroupedStats | undefined;
  categories: GroupedStats;
  /** Over the last 365 days. */
  failing: FailingAsset[];
  down: DownAsset[];
  costly: CostlyAsset[];
}

/** Omitted, because the page shows work only. */
const ofAssets = ["asset", "purchase"] as const;

/** Trends of everything the caller sees, or of one workspace, over the last twelve months. */
export async function getTrends(
  db: Tx,
  caller: Caller,
  { workspace: reference }: { workspace: string | undefined },
): Promise<Trends> {
  const workspace = reference === undefined ? undefined : await getWorkspace(db, caller, reference);
  const request = toStatsRequest(caller, workspace?.id, daysOfWorst);
  const { today } = request;
  const thisMonth = firstOfMonth(today);
  const days = { from: addMonths(thisMonth, -11), to: today };
  const [months, key, reasons, workspaces, categories, failing, down, costly] = await Promise.all([
    findMonths(db, request, days),
    getKeyFigures(db, caller, { workspaceId: workspace?.id }),
    findTrendReasons(db, { ...request, days: keyDays }),
    workspace === undefined ? groupStats(db, request, "workspace", days, ofAssets) : undefined,
    groupStats(db, request, "category", days, ofAssets),
    findFailingAssets(db, request),
    findLongestDown(db, request),
    findCostlyAssets(db, request),
  ]);
  return {
    scope: scopeOf(request),
    workspace,
    today,
    months,
    key,
    reasons,
    workspaces,
    categories,
    failing,
    down,
    costly,
  };
}

/** The figures of each month until now. */
export async function findMonths(
  db: Tx,
  request: StatsRequest,
  days: { from: string; to: string },
): Promise<Month[]> {
  const starts = startsOfMonths(days.from, addDays(days.to, 1));
  const { timeZone } = request.caller;
  const bounds = [...starts.map((day) => startOfDay(timeZone, day)), request.now];
  const [{ groups }, downtime] = await Promise.all([
    groupStats(db, request, "month", days),
    findDowntime(db, request, bounds),
  ]);
  const found = new Map(groups.map((group) => [group.id, group]));
  return starts.map((start, index) => {
    const month = start.slice(0, 7);
    return { month, ...toFigures(found.get(month)), down_hours: downtime[index] ?? 0 };
  });
}

function toFigures(group: Group | undefined): Omit<Month, "month" | "down_hours"> {
  return {
    planned_due: group?.planned_due ?? 0,
    on_time_percent: group?.on_time_percent ?? null,
    completed_tasks: group?.completed_tasks ?? 0,
    cost: group?.cost ?? {},
    failures: group?.failures ?? 0,
  };
}

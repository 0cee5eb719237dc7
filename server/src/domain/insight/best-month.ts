import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { addDays, addMonths, firstOfMonth } from "../shared/dates.js";
import { groupStats } from "./grouped-stats.js";
import { toStatsRequest } from "./stats-request.js";

export interface BestMonth {
  /** YYYY-MM: the last whole month. */
  month: string;
  /** Share of planned work done on time. */
  percent: number;
  /** The last month that was as good. Null if none of the 12 months before was. */
  since: string | null;
}

/** A month is good news if more than this many months before it were worse. */
const leastWorse = 2;

/** Planned work on time in the last whole month, if no month was as good for a while. */
export async function findBestMonth(db: Tx, caller: Caller): Promise<BestMonth | undefined> {
  const request = toStatsRequest(caller, undefined, 365);
  const thisMonth = firstOfMonth(request.today);
  const days = { from: addMonths(thisMonth, -13), to: addDays(thisMonth, -1) };
  const { groups } = await groupStats(db, request, "month", days, ["work", "cost", "failure"]);
  const months = groups.flatMap(({ id, on_time_percent: percent }) =>
    id === null || percent === null ? [] : [{ month: id, percent }],
  );
  const last = months.at(-1);
  if (last?.month !== days.to.slice(0, 7)) return undefined;
  const before = months.slice(0, -1);
  const at = before.findLastIndex(({ percent }) => percent >= last.percent);
  if (before.length - 1 - at <= leastWorse) return undefined;
  return { ...last, since: before[at]?.month ?? null };
}

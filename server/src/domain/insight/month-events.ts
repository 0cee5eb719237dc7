import type { Tx } from "../../db/database.js";
import { createParameters } from "../../db/parameters.js";
import type { Caller } from "../access/caller.js";
import { failuresIn } from "../assets/reliability.js";
import { addDays, addMonths, firstOfMonth, startOfDay } from "../shared/dates.js";
import { getWorkspace, type WorkspaceReference } from "../shared/workspace-references.js";
import { findLongestDown, type DownAsset } from "./downtime.js";
import { isCounted, toStatsRequest, type StatsRequest } from "./stats-request.js";
import { findMonths, type Month } from "./trends.js";

/** The maximum number of failures, and of assets that were down. */
const shown = 200;

export interface Failure {
  asset_id: string;
  inventory_number: string;
  name: string;
  at: Date;
  /** The completed repair. Null if the asset only went out of service. */
  task_id: string | null;
  title: string | null;
}

export interface MonthEvents {
  workspace: WorkspaceReference | undefined;
  /** The figures in the trends. */
  month: Month;
  failures: Failure[];
  down: DownAsset[];
}

/**
 * The failures and downtime that the trends count in a month, YYYY-MM. Undefined for months in the
 * future.
 */
export async function findMonthEvents(
  db: Tx,
  caller: Caller,
  { month, workspace: reference }: { month: string; workspace: string | undefined },
): Promise<MonthEvents | undefined> {
  const workspace = reference === undefined ? undefined : await getWorkspace(db, caller, reference);
  const request = toStatsRequest(caller, workspace?.id, 0);
  const from = `${month}-01`;
  if (from > firstOfMonth(request.today)) return undefined;
  const next = addMonths(from, 1);
  const [start, end] = [startOfDay(caller.timeZone, from), startOfDay(caller.timeZone, next)];
  const now = end < request.now ? end : request.now;
  const days = (now.getTime() - start.getTime()) / 86_400_000;
  const ofMonth = { ...request, now, days };
  const [[figures], failures, down] = await Promise.all([
    findMonths(db, ofMonth, { from, to: addDays(next, -1) }),
    findFailures(db, ofMonth, start),
    findLongestDown(db, ofMonth, shown),
  ]);
  return figures && { workspace, month: figures, failures, down };
}

async function findFailures(db: Tx, request: StatsRequest, start: Date): Promise<Failure[]> {
  const parameters = createParameters(request.caller.organizationId, start, request.now);
  const isMeant = (row: string, at: string) =>
    `NOT ${row}.hidden AND ${row}.${at} < $3 AND ${isCounted(request, parameters, row)}`;
  const failures = failuresIn("$2", {
    ofTask: isMeant("t", "completed_at"),
    ofPeriod: isMeant("p", "started_at"),
  });
  return db.query(
    `SELECT f.asset_id, a.inventory_number, a.name, f.at, f.task_id, f.title
     FROM (SELECT * FROM (${failures}) f ORDER BY f.at DESC, f.asset_id LIMIT ${shown}) f
     JOIN assets a ON a.organization_id = $1 AND a.id = f.asset_id
     ORDER BY f.at DESC, f.asset_id`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
}

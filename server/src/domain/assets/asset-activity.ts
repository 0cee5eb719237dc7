import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { isVisibleAssetSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { todayOf } from "../access/clock.js";
import { createEventViewer, lastEventsSql, type EventRow } from "../history/event-rows.js";
import { tellFile, toldFilesSql, type ToldFile } from "./asset-files.js";
import { metersSql, type FoundMeter } from "../meters/meters.js";
import type { StoredTaskRow } from "../tasks/task-rows.js";
import {
  assetFiguresPeriod,
  assetFiguresSql,
  toAssetFigures,
  type AssetFiguresRow,
} from "./asset-figures.js";
import {
  openTasksSql,
  taskFiguresSql,
  toOpenTask,
  toTaskFigures,
  type TaskFiguresRow,
} from "./asset-maintenance.js";

interface ActivityRow extends TaskFiguresRow, AssetFiguresRow {
  tasks: StoredTaskRow[];
  files: ToldFile[];
  meters: (Omit<FoundMeter, "read_at"> & { read_at: string | null })[];
  events: (Omit<EventRow, "occurred_at" | "recorded_at"> & {
    occurred_at: string;
    recorded_at: string;
  })[];
}

/** One column, which costs less than a row. */
const toActivitySql = (visible: string) => `SELECT to_json(activity) AS activity FROM (
  SELECT *, ${jsonRows(openTasksSql)} AS tasks, ${jsonRows(lastEventsSql)} AS events,
    ${jsonRows(toldFilesSql)} AS files, ${jsonRows(metersSql)} AS meters
  FROM (${taskFiguresSql}) workload, (${assetFiguresSql}) figures
  WHERE ${visible}) activity`;

/**
 * What waits on an asset and what happened to it, the newest first, in one statement, which asks
 * itself whether the caller sees it: what is read beside it may be from before it was moved out of sight.
 */
export async function findAssetActivity(db: Tx, caller: Caller, assetId: string) {
  const given = [assetId, todayOf(caller), ...assetFiguresPeriod(caller)];
  const parameters = createParameters(caller.organizationId, ...given);
  const found = await db.maybe<{ activity: ActivityRow }>(
    toActivitySql(isVisibleAssetSql(caller, parameters)),
    parameters.values,
  );
  if (found === undefined) return undefined;
  const row = found.activity;
  const events = row.events.map((event) => ({
    ...event,
    occurred_at: new Date(event.occurred_at),
    recorded_at: new Date(event.recorded_at),
  }));
  return {
    maintenance: { ...toTaskFigures(caller, row), ...toAssetFigures(row) },
    open_tasks: row.tasks.map((task) => toOpenTask(caller, task)),
    files: row.files.map((file) => tellFile(caller, file)),
    meters: row.meters.map(({ read_at: at, ...meter }) => ({
      ...meter,
      read_at: at === null ? null : new Date(at),
    })),
    recent_history: events.map(await createEventViewer(db, caller, events)),
  };
}

/** The rows of a query as one value, where times are texts. */
function jsonRows(query: string): string {
  return `(SELECT coalesce(json_agg(found), '[]') FROM (${query}) found)`;
}

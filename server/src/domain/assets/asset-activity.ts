import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { createEventViewer, lastEventsSql, type EventRow } from "../history/event-rows.js";
import { findVisibleAsset } from "./visible-assets.js";
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

/** One column costs less than a row. */
const activityColumn = `, (SELECT to_json(activity) FROM (
  SELECT *, ${jsonRows(openTasksSql)} AS tasks, ${jsonRows(lastEventsSql)} AS events,
    ${jsonRows(toldFilesSql)} AS files, ${jsonRows(metersSql)} AS meters
  FROM (${taskFiguresSql}) workload, (${assetFiguresSql}) figures) activity) AS activity`;

/**
 * Returns an asset with its open tasks and its history, newest first. It is one statement, because
 * the asset may be moved out of sight between two.
 */
export async function findAssetWithActivity(db: Tx, caller: Caller, id: string) {
  const found = await findVisibleAsset<{ activity: ActivityRow }>(db, caller, id, {
    columns: activityColumn,
    values: [todayOf(caller), ...assetFiguresPeriod(caller)],
  });
  if (found === undefined) return undefined;
  const { activity: row, ...record } = found;
  const events = row.events.map((event) => ({
    ...event,
    occurred_at: new Date(event.occurred_at),
    recorded_at: new Date(event.recorded_at),
  }));
  const activity = {
    maintenance: { ...toTaskFigures(caller, row), ...toAssetFigures(row) },
    open_tasks: row.tasks.map((task) => toOpenTask(caller, task)),
    files: row.files.map((file) => tellFile(caller, file)),
    meters: row.meters.map(({ read_at: at, ...meter }) => ({
      ...meter,
      read_at: at === null ? null : new Date(at),
    })),
    recent_history: events.map(await createEventViewer(db, caller, events)),
  };
  return { record: record, activity };
}

/** Returns the query's rows as one JSON value. Times become texts. */
function jsonRows(query: string): string {
  return `(SELECT coalesce(json_agg(found), '[]') FROM (${query}) found)`;
}

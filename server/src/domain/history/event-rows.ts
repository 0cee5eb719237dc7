import type { Tx } from "../../db/database.js";
import type { HistoryEvent } from "../../db/entities/history.js";
import type { Caller } from "../access/caller.js";
import { toTimestamp } from "../shared/dates.js";
import { createRedactor } from "./redact-changes.js";
import type { Change } from "./record-events.js";
import { toTaskNumber } from "../shared/task-references.js";

export interface ShownEvent extends Pick<
  HistoryEvent,
  "id" | "type" | "task_id" | "actor_user_id" | "source" | "note" | "change_set_id"
> {
  occurred_at: string;
  /** Set only if the event was backdated. */
  recorded_at?: string;
  /** "T-118" */
  task_number: string | null;
  task_title: string | null;
  actor: string;
  client: string | null;
  changes: Change[];
}

export interface EventRow extends Omit<ShownEvent, "occurred_at" | "recorded_at" | "task_number"> {
  occurred_at: Date;
  recorded_at: Date;
  task_number: number | null;
}

/** The columns of an EventRow, from history_events as `e` with `eventJoins`. */
export const eventColumns = `e.id, e.occurred_at, e.recorded_at, e.type, e.task_id,
  k.task_number::int AS task_number, k.title AS task_title, e.actor_name AS actor, e.actor_user_id, e.source, e.client_name AS client, e.changes, e.note, e.change_set_id`;

/**
 * Joins for the events `e` in FROM. People who see an event see its task, unless the task is now on
 * another asset in another workspace.
 */
export const eventJoins = `LEFT JOIN maintenance_tasks k
  ON k.organization_id = e.organization_id AND k.id = e.task_id
  AND (e.asset_id IS NULL OR k.asset_id = e.asset_id OR k.workspace_id IS NOT DISTINCT FROM
    (SELECT former.workspace_id FROM assets former
     WHERE former.organization_id = e.organization_id AND former.id = e.asset_id))`;

/**
 * Returns a function that converts rows for the caller, without names of workspaces and parents
 * they may not see.
 */
export async function createEventViewer(
  db: Tx,
  caller: Caller,
  rows: readonly EventRow[],
): Promise<(row: EventRow) => ShownEvent> {
  const hide = await createRedactor(
    db,
    caller,
    rows.flatMap(({ changes }) => changes),
  );
  return (row) => toShownEvent(row, hide);
}

function toShownEvent(row: EventRow, hide: (changes: Change[]) => Change[]): ShownEvent {
  const { occurred_at: occurredAt, recorded_at: recordedAt } = row;
  const isBackdated = recordedAt.getTime() - occurredAt.getTime() >= 1000;
  return {
    id: row.id,
    occurred_at: toTimestamp(occurredAt),
    ...(isBackdated && { recorded_at: toTimestamp(recordedAt) }),
    type: row.type,
    task_id: row.task_id,
    task_number: row.task_number === null ? null : toTaskNumber(row.task_number),
    task_title: row.task_title,
    actor: row.actor,
    actor_user_id: row.actor_user_id,
    source: row.source,
    client: row.client,
    changes: hide(row.changes),
    note: row.note,
    change_set_id: row.change_set_id,
  };
}

/** The last five events of an asset ($2), newest first, as rows of EventRow. */
export const lastEventsSql = `SELECT ${eventColumns} FROM history_events e ${eventJoins}
  WHERE e.organization_id = $1 AND e.asset_id = $2
  ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT 5`;

import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { visibleEventSql } from "../access/visibility.js";
import {
  createEventViewer,
  eventColumns,
  eventJoins,
  type EventRow,
  type ShownEvent,
} from "./event-rows.js";
import { createParameters } from "../../db/parameters.js";

export interface SetEvent extends ShownEvent {
  asset_id: string | null;
  asset: string | null;
}

export async function listEventsOf(
  db: Tx,
  caller: Caller,
  id: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ events: SetEvent[]; next?: string }> {
  const parameters = createParameters(caller.organizationId, id, after, limit + 1);
  const rows = await db.query<
    EventRow & { asset_id: string | null; asset: string | null; sequence: string }
  >(
    `SELECT ${eventColumns}, e.asset_id, e.sequence::text AS sequence,
         a.inventory_number || ' ' || a.name AS asset
       FROM history_events e
       LEFT JOIN assets a ON a.organization_id = e.organization_id AND a.id = e.asset_id
       ${eventJoins}
       WHERE e.organization_id = $1 AND e.change_set_id = $2 AND e.sequence > $3::bigint
         AND ${visibleEventSql(caller, parameters, "e")}
       ORDER BY e.sequence LIMIT $4`,
    parameters.values,
  );
  const shown = rows.slice(0, limit);
  const show = await createEventViewer(db, caller, shown);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    events: shown.map((row) => ({ ...show(row), asset_id: row.asset_id, asset: row.asset })),
    ...(last !== undefined && { next: last.sequence }),
  };
}

import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { toTimestamp } from "../shared/dates.js";
import type { Change } from "./record-events.js";
import type { LatestChange, VersionedKind } from "../shared/refusals.js";

/** Selects the events with a record's changes. Null means the activity log has them. */
const eventsOf: Record<VersionedKind, string | null> = {
  asset: "asset_id = $2 AND type LIKE 'asset\\_%'",
  task: "task_id = $2 AND type LIKE 'task\\_%'",
  workspace: null,
  organization: null,
};

export interface Versioned {
  kind: VersionedKind;
  id: string;
  version: number;
}

/**
 * Throws if a change is based on an outdated version. The error says who changed which fields
 * since.
 */
export async function checkVersion(
  tx: Tx,
  caller: Caller,
  { kind, id, version }: Versioned,
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined || expected === version) return;
  const found = { field: "expected_version", kind, version, expected };
  if (expected > version) throw new AppError("conflict", "version_ahead", found);
  const changed = await findLastChange(tx, caller, kind, id);
  throw new AppError("conflict", "changed_since", { ...found, changed });
}

async function findLastChange(
  tx: Tx,
  caller: Caller,
  kind: VersionedKind,
  id: string,
): Promise<LatestChange | undefined> {
  const events = eventsOf[kind];
  const rows: LastChange[] =
    events === null
      ? await findLastUpdate(tx, caller, kind, id)
      : await tx.query(
          `SELECT actor_name, recorded_at, changes FROM history_events
           WHERE organization_id = $1 AND ${events} AND request_id =
             (SELECT request_id FROM history_events WHERE organization_id = $1 AND ${events}
              ORDER BY sequence DESC LIMIT 1)
           ORDER BY sequence`,
          [caller.organizationId, id],
        );
  const latest = rows[0];
  if (latest === undefined) return undefined;
  return {
    by: latest.actor_name,
    at: toTimestamp(latest.recorded_at),
    fields: rows.flatMap(({ changes }) => changes.map(({ field }) => field)),
  };
}

interface LastChange {
  actor_name: string;
  recorded_at: Date;
  changes: Pick<Change, "field">[];
}

/** Returns the last change of a workspace or the organization, from the activity log. */
async function findLastUpdate(tx: Tx, caller: Caller, kind: VersionedKind, id: string) {
  const rows = await tx.query<{ actor_name: string; recorded_at: Date; changed: string[] }>(
    `SELECT actor_name, created_at AS recorded_at, details -> 'changed' AS changed
     FROM activity_log
     WHERE organization_id = $1 AND type = $2
       AND coalesce(details ->> 'workspace_id', organization_id) = $3
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [caller.organizationId, `${kind}_updated`, id],
  );
  return rows.map(({ changed, ...row }) => ({
    ...row,
    changes: changed.map((field) => ({ field })),
  }));
}

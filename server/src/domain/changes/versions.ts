import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import { agoInWords, toTimestamp } from "../values/dates.js";
import { quote } from "../values/quote.js";
import type { Change } from "../events/record-events.js";

/** What has a version, and with which tool it is read again. */
const kinds = {
  asset: { tool: "get_asset", events: "asset_id = $2 AND type LIKE 'asset\\_%'" },
  task: { tool: "get_maintenance_task", events: "task_id = $2 AND type LIKE 'task\\_%'" },
  workspace: { tool: "list_workspaces", events: null },
  organization: { tool: "get_current_user", events: null },
} as const;

export interface Versioned {
  kind: keyof typeof kinds;
  id: string;
  version: number;
}

/** Refuses a change made on an older reading of a record, and says who changed what since. */
export async function checkVersion(
  tx: EntityManager,
  caller: Caller,
  { kind, id, version }: Versioned,
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined || expected === version) return;
  const error = { field: "expected_version", details: { version } };
  const { tool } = kinds[kind];
  if (expected > version) {
    throw new AppError(
      "conflict",
      `Conflict: the ${kind} is at version ${version}, not ${expected}. Read it again with ${tool}.`,
      error,
    );
  }
  const latest = await findLastChange(tx, caller, kind, id);
  const who = latest === undefined ? "" : describeLastChange(caller, latest);
  throw new AppError(
    "conflict",
    `Conflict: the ${kind} changed since version ${expected} (now ${version}${who}). Read it again with ${tool}, then repeat with expected_version ${version} if the change still makes sense.`,
    { ...error, details: { version, ...(latest !== undefined && { changed: latest }) } },
  );
}

/** Who changed a record last, when, and which fields of it. */
export interface LatestChange {
  by: string;
  at: string;
  fields: string[];
}

/** `, by "Dara Novak", 2 minutes ago: state` */
function describeLastChange(caller: Caller, { by, at, fields }: LatestChange): string {
  const what = fields.length === 0 ? "" : `: ${fields.join(", ")}`;
  return `, by ${quote(by)}, ${agoInWords(new Date(at), nowOf(caller))} ago${what}`;
}

/** What the history knows of the last change. */
async function findLastChange(
  tx: EntityManager,
  caller: Caller,
  kind: keyof typeof kinds,
  id: string,
): Promise<LatestChange | undefined> {
  const { events } = kinds[kind];
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

/** One event of the last call that changed a record. */
interface LastChange {
  actor_name: string;
  recorded_at: Date;
  changes: Pick<Change, "field">[];
}

/** Of a workspace or the organization, which the activity log knows. */
async function findLastUpdate(
  tx: EntityManager,
  caller: Caller,
  kind: keyof typeof kinds,
  id: string,
) {
  const rows: { actor_name: string; recorded_at: Date; changed: string[] }[] = await tx.query(
    `SELECT actor_name, created_at AS recorded_at, details -> 'changed' AS changed
     FROM activity_log
     WHERE organization_id = $1 AND type = $2
       AND coalesce(details ->> 'workspace_id', organization_id) = $3
     ORDER BY id DESC LIMIT 1`,
    [caller.organizationId, `${kind}_updated`, id],
  );
  return rows.map(({ changed, ...row }) => ({
    ...row,
    changes: changed.map((field) => ({ field })),
  }));
}

import type { EntityManager } from "typeorm";
import { AppError } from "../errors.js";
import type { Caller } from "./caller.js";
import { nowOf } from "./clock.js";
import { agoInWords } from "./dates.js";
import { quote } from "./quote.js";
import type { Change } from "./history/history.js";

/** What has a version, and with which tool it is read again. */
const kinds = {
  asset: { tool: "get_asset", events: "asset_id = $2 AND type LIKE 'asset\\_%'" },
  task: { tool: "get_maintenance_task", events: "task_id = $2 AND type LIKE 'task\\_%'" },
  workspace: { tool: "list_workspaces", events: null },
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
  const who = await describeLastChange(tx, caller, kind, id);
  throw new AppError(
    "conflict",
    `Conflict: the ${kind} changed since version ${expected} (now ${version}${who}). Read it again with ${tool}, then repeat with expected_version ${version} if the change still makes sense.`,
    error,
  );
}

/** `, by "Dara Novak", 2 minutes ago: state`, where the history knows. */
async function describeLastChange(
  tx: EntityManager,
  caller: Caller,
  kind: keyof typeof kinds,
  id: string,
): Promise<string> {
  const { events } = kinds[kind];
  const rows: LastChange[] =
    events === null
      ? await findLastUpdate(tx, caller, id)
      : await tx.query(
          `SELECT actor_name, recorded_at, changes FROM history_events
           WHERE organization_id = $1 AND ${events} AND request_id =
             (SELECT request_id FROM history_events WHERE organization_id = $1 AND ${events}
              ORDER BY sequence DESC LIMIT 1)
           ORDER BY sequence`,
          [caller.organizationId, id],
        );
  const latest = rows[0];
  if (latest === undefined) return "";
  const fields = rows.flatMap(({ changes }) => changes.map(({ field }) => field)).join(", ");
  const what = fields === "" ? "" : `: ${fields}`;
  const ago = agoInWords(latest.recorded_at, nowOf(caller));
  return `, by ${quote(latest.actor_name)}, ${ago} ago${what}`;
}

/** One event of the last call that changed a record. */
interface LastChange {
  actor_name: string;
  recorded_at: Date;
  changes: Pick<Change, "field">[];
}

/** Of a workspace, which the activity log knows. */
async function findLastUpdate(tx: EntityManager, caller: Caller, id: string) {
  const rows: { actor_name: string; recorded_at: Date; changed: string[] }[] = await tx.query(
    `SELECT actor_name, created_at AS recorded_at, details -> 'changed' AS changed
     FROM activity_log
     WHERE organization_id = $1 AND type = 'workspace_updated' AND details ->> 'workspace_id' = $2
     ORDER BY id DESC LIMIT 1`,
    [caller.organizationId, id],
  );
  return rows.map(({ changed, ...row }) => ({
    ...row,
    changes: changed.map((field) => ({ field })),
  }));
}

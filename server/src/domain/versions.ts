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
  if (events === null) return "";
  const rows: { actor_name: string; recorded_at: Date; changes: Change[] }[] = await tx.query(
    `SELECT actor_name, recorded_at, changes FROM history_events
     WHERE organization_id = $1 AND ${events} ORDER BY sequence DESC LIMIT 1`,
    [caller.organizationId, id],
  );
  const latest = rows[0];
  if (latest === undefined) return "";
  const fields = latest.changes.map(({ field }) => field).join(", ");
  const what = fields === "" ? "" : `: ${fields}`;
  const ago = agoInWords(latest.recorded_at, nowOf(caller));
  return `, by ${quote(latest.actor_name)}, ${ago} ago${what}`;
}

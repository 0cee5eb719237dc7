import type { EntityManager } from "typeorm";
import { AppError } from "../errors.js";
import type { Caller } from "./caller.js";
import { agoInWords } from "./dates.js";
import { quote } from "./quote.js";
import type { Change } from "./history.js";

/** Refuses a change made on an older reading of an asset, and says who changed what since. */
export async function checkAssetVersion(
  tx: EntityManager,
  caller: Caller,
  asset: { id: string; version: number },
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined || expected === asset.version) return;
  const error = { field: "expected_version", details: { version: asset.version } };
  if (expected > asset.version) {
    throw new AppError(
      "conflict",
      `Conflict: the asset is at version ${asset.version}, not ${expected}. Read it again with get_asset.`,
      error,
    );
  }
  const events: { actor_name: string; recorded_at: Date; changes: Change[] }[] = await tx.query(
    `SELECT actor_name, recorded_at, changes FROM history_events
     WHERE organization_id = $1 AND asset_id = $2 AND type <> 'note_added'
     ORDER BY sequence DESC LIMIT 1`,
    [caller.organizationId, asset.id],
  );
  const latest = events[0];
  const fields = latest?.changes.map(({ field }) => field).join(", ") ?? "";
  const who =
    latest === undefined
      ? ""
      : `, by ${quote(latest.actor_name)}, ${agoInWords(latest.recorded_at)} ago${fields === "" ? "" : `: ${fields}`}`;
  throw new AppError(
    "conflict",
    `Conflict: the asset changed since version ${expected} (now ${asset.version}${who}). Read it again with get_asset, then repeat with expected_version ${asset.version} if the change still makes sense.`,
    error,
  );
}

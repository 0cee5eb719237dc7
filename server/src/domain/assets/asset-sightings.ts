import { In, type Tx } from "../../db/database.js";
import { Asset } from "../../db/entities/assets.js";
import { PlaceLabel } from "../../db/entities/reports.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { toTimestamp } from "../shared/dates.js";
import { storeColumns, toChange } from "../history/differences.js";
import { recordEvent } from "../history/record-events.js";
import { createParameters } from "../../db/parameters.js";
import { workspaceRefOf, requireRoleIn } from "../access/roles.js";
import { visibleAssetSql } from "../access/visibility.js";
import { withNumberSql } from "./inventory-numbers.js";
import { toSummary, type AssetSummary } from "./asset-answers.js";
import { lockAssetRecord } from "./asset-record.js";

export interface Sighting {
  at: Date;
  by: string;
}

/** A second confirmation within this time is a double click. */
const onceMs = 60_000;

/** Records that the caller has the asset in front of them, now or at an earlier time. */
export async function markAssetSeen(
  tx: Tx,
  caller: Caller,
  reference: string,
  seenAt?: Date,
): Promise<AssetSummary> {
  const asset = await lockAssetRecord(tx, caller, reference);
  const { id } = asset;
  await requireRoleIn(tx, caller, workspaceRefOf(asset), "member", "record that you saw an asset");
  if (asset.state === "deleted") {
    throw new AppError("invalid_transition", "retired_not_looked_for");
  }
  const seen = seenAt ?? (await momentOf(tx));
  const { last_seen_at: before } = asset;
  const sinceMs = before === null ? Infinity : seen.getTime() - before.getTime();
  // A later sighting is already stored.
  if (sinceMs < 0) return toSummary(caller, asset);
  if (sinceMs < onceMs && (await isLastSeenBy(tx, caller, id))) return toSummary(caller, asset);
  const { version, at } = await storeColumns(tx, caller, { table: "assets", id }, [
    ["last_seen_at", seen],
    ["last_seen_by", caller.userId],
  ]);
  await recordEvent(tx, caller, {
    type: "asset_updated",
    assetId: id,
    workspaceId: asset.workspace_id,
    occurredAt: seenAt ?? at,
    recordedAt: at,
    changes: [toChange("last_seen_at", before && toTimestamp(before), toTimestamp(seen))],
  });
  return toSummary(caller, { ...asset, version });
}

async function isLastSeenBy(tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const { organizationId: organization_id, userId: last_seen_by } = caller;
  return tx.exists(Asset, { organization_id, id, last_seen_by });
}

export async function findLastSighting(
  db: Tx,
  caller: Caller,
  id: string,
): Promise<Sighting | undefined> {
  const parameters = createParameters(caller.organizationId, id);
  return db.maybe<Sighting>(
    `SELECT a.last_seen_at AS at, u.name AS by FROM assets a JOIN users u ON u.id = a.last_seen_by
     WHERE a.organization_id = $1 AND a.id = $2 AND a.last_seen_at IS NOT NULL
       AND ${visibleAssetSql(caller, parameters, "a")}`,
    parameters.values,
  );
}

/** Returns the given organization that has the asset or place with this label code. */
export async function findOrganizationOfCode(
  db: Tx,
  code: string,
  organizationIds: readonly string[],
): Promise<string | undefined> {
  const where = { qr_token: toStored(code), organization_id: In([...organizationIds]) };
  const select = { id: true, organization_id: true };
  const found =
    (await db.findOne(Asset, { select, where })) ??
    (await db.findOne(PlaceLabel, { select, where }));
  return found?.organization_id;
}

export interface ScannedAsset extends Pick<
  Asset,
  "id" | "name" | "inventory_number" | "serial_number" | "state" | "workspace_id" | "location"
> {
  workspace_name: string | null;
}

/** Scanning a shared serial number offers at most this many assets. */
const maxMatches = 20;

const labelAddress = /^(?:https?:\/\/[^/?#]+)?\/q\/([0-9a-z]{12})\/?$/i;

/** Returns the label code in scanned text: the end of a URL on any server, or just the code. */
export function labelCodeOf(text: string): string | undefined {
  return labelAddress.exec(text)?.[1] ?? /^[0-9a-z]{12}$/i.exec(text)?.[0];
}

/** Returns the visible assets whose label, inventory number or serial number was scanned. */
export async function findScannedAssets(
  db: Tx,
  caller: Caller,
  text: string,
): Promise<ScannedAsset[]> {
  const spellings = [...new Set([text, text.toUpperCase(), text.toLowerCase()])];
  const code = toStored(labelCodeOf(text) ?? "");
  const parameters = createParameters(caller.organizationId, code, spellings);
  return db.query(
    `SELECT a.id, a.name, a.inventory_number, a.serial_number, a.state, a.workspace_id, a.location,
       w.name::text AS workspace_name
     FROM assets a
     LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
     WHERE a.organization_id = $1 AND ${visibleAssetSql(caller, parameters, "a")}
       AND a.id = ANY (ARRAY(SELECT l.id FROM assets l WHERE l.organization_id = $1 AND l.qr_token = $2
         UNION ALL ${withNumberSql("inventory_number", "$3")}
         UNION ALL ${withNumberSql("serial_number", "$3")}))
     ORDER BY a.qr_token = $2 DESC, a.inventory_number = ANY ($3::text[]) DESC,
       a.state = 'deleted', a.name_key, a.id LIMIT ${maxMatches}`,
    parameters.values,
  );
}

/** Returns the asset with a label code, in any letter case, if the caller sees it. */
export async function findAssetOfCode(
  db: Tx,
  caller: Caller,
  code: string,
): Promise<string | undefined> {
  const parameters = createParameters(caller.organizationId, toStored(code));
  const row = await db.maybe<Pick<Asset, "id">>(
    `SELECT a.id FROM assets a WHERE a.organization_id = $1 AND a.qr_token = $2
       AND ${visibleAssetSql(caller, parameters, "a")}`,
    parameters.values,
  );
  return row?.id;
}

function toStored(code: string): string {
  return code.toLowerCase();
}

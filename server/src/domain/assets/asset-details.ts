import type { Tx } from "../../db/database.js";
import { assetUrl } from "../access/urls.js";
import { findAssetWithActivity } from "./asset-activity.js";
import type { AssetRecord } from "./asset-record.js";
import { assetNotFound, getAssetId } from "../shared/asset-references.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { daysBetween, monthsBetween, toTimestamp } from "../shared/dates.js";
import { idKindOf } from "../shared/ids.js";
import { omit } from "../shared/omit.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";
import { findVisibleAsset } from "./visible-assets.js";

/** A warranty that ends within this many days is "ending". */
const warrantyEndingDays = 90;

export async function getAsset(db: Tx, caller: Caller, reference: string) {
  const id = idKindOf(reference) === "asset" ? reference : await getAssetId(db, caller, reference);
  const found = await findAssetWithActivity(db, caller, id);
  if (found === undefined) throw await assetNotFound(db, caller, reference);
  return { asset: await describe(db, caller, found.record), ...found.activity };
}

async function describe(db: Tx, caller: Caller, record: AssetRecord) {
  const fields = omit(
    record,
    "category_id",
    "parent_workspace_id",
    "parent_asset",
    "merged_into_asset_id",
  );
  const today = todayOf(caller);
  const since = record.in_service_date ?? record.purchase_date;
  const parent = await visibleParent(db, caller, record);
  return {
    ...fields,
    parent_asset_id: null,
    ...parent,
    merged_into: await findMergedInto(db, caller, record),
    age_months: since === null || since > today ? null : monthsBetween(since, today),
    warranty_status: warrantyStatus(record.warranty_expires_on, today),
    state_changed_at: toTimestamp(record.state_changed_at),
    last_seen_at: record.last_seen_at && toTimestamp(record.last_seen_at),
    deleted_at: record.deleted_at && toTimestamp(record.deleted_at),
    created_at: toTimestamp(record.created_at),
    updated_at: toTimestamp(record.updated_at),
    url: assetUrl(caller, record.id),
  };
}

/** Omits a parent in a workspace that the caller can't see. */
async function visibleParent(db: Tx, caller: Caller, record: AssetRecord) {
  if (record.parent_asset_id === null) return {};
  const parameters = createParameters(caller.organizationId, record.parent_asset_id);
  const visible = visibleAssetSql(caller, parameters, "a");
  if (visible !== "TRUE" && record.parent_workspace_id !== record.workspace_id) {
    const rows = await db.query(
      `SELECT 1 FROM assets a WHERE a.organization_id = $1 AND a.id = $2 AND ${visible}`,
      parameters.values,
    );
    if (rows.length === 0) return {};
  }
  return { parent_asset_id: record.parent_asset_id, parent_asset: record.parent_asset };
}

/** Returns the asset that this one was merged into, unless the caller can't see its workspace. */
async function findMergedInto(db: Tx, caller: Caller, record: AssetRecord) {
  if (record.merged_into_asset_id === null) return null;
  const kept = await findVisibleAsset(db, caller, record.merged_into_asset_id);
  if (kept === undefined) return null;
  const { id, inventory_number, name } = kept;
  return { id, inventory_number, name };
}

function warrantyStatus(endsOn: string | null, today: string) {
  if (endsOn === null) return null;
  if (endsOn < today) return "expired";
  return daysBetween(today, endsOn) <= warrantyEndingDays ? "ending" : "active";
}

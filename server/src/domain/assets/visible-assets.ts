import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";
import { findAssetRecord, type AssetRecord } from "./asset-record.js";
import { assetNotFound } from "../shared/asset-references.js";

/** The asset of an id, if there is one that the caller sees: it may be gone the next moment. */
export async function findVisibleAsset(
  db: Tx,
  caller: Caller,
  id: string,
): Promise<AssetRecord | undefined> {
  const parameters = createParameters(caller.organizationId, id);
  const visible = visibleAssetSql(caller, parameters, "a");
  return findAssetRecord(db, `a.id = $2 AND ${visible}`, parameters.values);
}

/** The same; not finding it is an error. */
export async function getVisibleAsset(db: Tx, caller: Caller, id: string): Promise<AssetRecord> {
  const asset = await findVisibleAsset(db, caller, id);
  if (asset === undefined) throw await assetNotFound(db, caller, id);
  return asset;
}

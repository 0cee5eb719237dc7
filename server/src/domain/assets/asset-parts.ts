import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";

export type AssetPart = Pick<Asset, "id" | "inventory_number" | "name" | "state">;

const maxParts = 100;

/** Returns the parts of an asset that the caller sees, without retired ones. */
export async function findParts(db: Tx, caller: Caller, assetId: string): Promise<AssetPart[]> {
  const parameters = createParameters(caller.organizationId, assetId);
  return db.query(
    `SELECT a.id, a.inventory_number, a.name, a.state FROM assets a
     WHERE a.organization_id = $1 AND a.parent_asset_id = $2 AND a.state <> 'deleted'
       AND ${visibleAssetSql(caller, parameters, "a")}
     ORDER BY a.name_key, a.id LIMIT ${maxParts}`,
    parameters.values,
  );
}

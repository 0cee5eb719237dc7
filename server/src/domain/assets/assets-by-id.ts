import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { Caller } from "../access/caller.js";
import { visibleAssetSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";

export async function findAssetsById(
  db: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<Pick<Asset, "id" | "inventory_number" | "name">[]> {
  const parameters = createParameters(caller.organizationId, ids);
  return db.query(
    `SELECT a.id, a.inventory_number, a.name FROM assets a
     WHERE a.organization_id = $1 AND a.id = ANY ($2::text[])
       AND ${visibleAssetSql(caller, parameters, "a")}
     ORDER BY a.name_key, a.id`,
    parameters.values,
  );
}

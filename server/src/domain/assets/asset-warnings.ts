import type { Tx } from "../../db/database.js";
import type { EnsuredCategory } from "./categories.js";
import type { Caller } from "../access/caller.js";
import type { WorkspaceRef } from "../access/roles.js";
import { createParameters } from "../../db/parameters.js";
import type { NamedAsset } from "../shared/refusals.js";
import type { Warning } from "../shared/warnings.js";
import { visibleAssetSql } from "../access/visibility.js";

/** Warns if another visible asset has the same serial number and manufacturer. */
export async function findDuplicateWarning(
  tx: Tx,
  caller: Caller,
  asset: { id: string; serial_number: string | null; manufacturer: string | null },
): Promise<Warning[]> {
  if (asset.serial_number === null) return [];
  const parameters = createParameters(
    caller.organizationId,
    asset.id,
    asset.serial_number,
    asset.manufacturer,
  );
  const duplicates = await tx.query<NamedAsset>(
    `SELECT a.inventory_number, a.name FROM assets a
     WHERE a.organization_id = $1 AND a.id <> $2 AND a.serial_number = $3
       AND a.manufacturer IS NOT DISTINCT FROM $4 AND ${visibleAssetSql(caller, parameters, "a")}
     ORDER BY a.created_at, a.id LIMIT 1`,
    parameters.values,
  );
  return duplicates.map((asset) => ({ key: "serial_number_twice", asset }));
}

export async function findNameWarning(
  tx: Tx,
  caller: Caller,
  { id, name, workspace }: { id: string; name: string; workspace: WorkspaceRef },
): Promise<Warning[]> {
  if (workspace === null) return [];
  const parameters = createParameters(caller.organizationId, id, name, workspace.id);
  const same = await tx.query<NamedAsset>(
    `SELECT a.inventory_number, a.name FROM assets a
     WHERE a.organization_id = $1 AND a.id <> $2 AND a.name_key = natural_key($3)
       AND lower(a.name) = lower($3) AND a.workspace_id = $4 AND a.state <> 'deleted'
       AND ${visibleAssetSql(caller, parameters, "a")}
     ORDER BY a.created_at, a.id LIMIT 1`,
    parameters.values,
  );
  return same.map((other) => ({ key: "name_twice", asset: other }));
}

/** Names are equal in this form if they differ only in case, spaces, hyphens or a plural "s". */
const plainForm = (name: string) =>
  `regexp_replace(regexp_replace(lower(${name}), '[[:space:]-]', '', 'g'), 's$', '')`;

/** Warns if a new category is nearly equal to a category of visible assets. */
export async function findCategoryWarning(
  tx: Tx,
  caller: Caller,
  category: EnsuredCategory | undefined,
): Promise<Warning[]> {
  if (category?.isNew !== true) return [];
  const parameters = createParameters(caller.organizationId, category.id, category.name);
  const near = await tx.query<{ name: string }>(
    `SELECT c.name::text AS name FROM asset_categories c
     WHERE c.organization_id = $1 AND c.id <> $2
       AND (${plainForm("c.name::text")} = ${plainForm("$3::text")}
         OR similarity(c.name::text, $3) >= 0.6)
       AND EXISTS (SELECT 1 FROM assets a WHERE a.organization_id = $1 AND a.category_id = c.id
         AND ${visibleAssetSql(caller, parameters, "a")})
     ORDER BY ${plainForm("c.name::text")} = ${plainForm("$3::text")} DESC,
       similarity(c.name::text, $3) DESC, c.id LIMIT 1`,
    parameters.values,
  );
  return near.map((other) => ({
    key: "category_like_other",
    name: category.name,
    other: other.name,
  }));
}

/** Warns with up to five parts of an asset that goes out of use without them. */
export async function findPartsWarning(
  tx: Tx,
  caller: Caller,
  assetId: string,
): Promise<Warning[]> {
  const parameters = createParameters(caller.organizationId, assetId);
  const parts = await tx.query<NamedAsset & { total: number }>(
    `SELECT a.inventory_number, a.name, (count(*) OVER ())::int AS total FROM assets a
     WHERE a.organization_id = $1 AND a.parent_asset_id = $2 AND a.state <> 'deleted'
       AND ${visibleAssetSql(caller, parameters, "a")}
     ORDER BY a.name, a.id LIMIT 5`,
    parameters.values,
  );
  const first = parts[0];
  if (first === undefined) return [];
  return [{ key: "parts_stay", parts, total: first.total }];
}

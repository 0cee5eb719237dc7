import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { EnsuredCategory } from "./categories.js";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import type { NamedAsset } from "../shared/refusals.js";
import type { Warning } from "../shared/warnings.js";
import { visibleAssetSql } from "../access/visibility.js";

type Compared = Pick<Asset, "id" | "name" | "workspace_id" | "serial_number" | "manufacturer">;

/**
 * Warns about another visible asset with the same serial number and manufacturer, or with the same
 * name in the same workspace. Compares only given fields.
 */
export async function findSameAssetWarnings(
  tx: Tx,
  caller: Caller,
  { id, name, workspace_id, serial_number, manufacturer }: Compared,
  fields: readonly string[] = ["serial_number", "name"],
): Promise<Warning[]> {
  const parameters = createParameters(caller.organizationId, id);
  const visible = visibleAssetSql(caller, parameters, "a");
  const select = (key: string, condition: string) =>
    `(SELECT '${key}' AS key, a.inventory_number, a.name FROM assets a
      WHERE a.organization_id = $1 AND a.id <> $2 AND ${condition} AND ${visible}
      ORDER BY a.created_at, a.id LIMIT 1)`;
  const searches: string[] = [];
  if (
    serial_number !== null &&
    fields.some((field) => /^(serial_number|manufacturer)$/.test(field))
  ) {
    const number = parameters.add(serial_number);
    const maker = parameters.add(manufacturer);
    const same = `a.serial_number = ${number} AND a.manufacturer IS NOT DISTINCT FROM ${maker}`;
    searches.push(select("serial_number_twice", same));
  }
  if (workspace_id !== null && fields.includes("name")) {
    const same = parameters.add(name);
    searches.push(
      select(
        "name_twice",
        `a.name_key = natural_key(${same}) AND lower(a.name) = lower(${same})
           AND a.workspace_id = ${parameters.add(workspace_id)} AND a.state <> 'deleted'`,
      ),
    );
  }
  if (searches.length === 0) return [];
  const found = await tx.query<NamedAsset & { key: "serial_number_twice" | "name_twice" }>(
    searches.join(" UNION ALL "),
    parameters.values,
  );
  return found.map(({ key, ...asset }) => ({ key, asset }));
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

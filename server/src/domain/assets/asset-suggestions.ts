import type { EntityManager } from "typeorm";
import { toConditions, type AssetFilters } from "./asset-filters.js";
import { findNearAssets, nameAsset, type NearAsset } from "../references/asset-references.js";
import { findNearCategories, findNearTags } from "./categories.js";
import type { Caller } from "../access/caller.js";
import { partialMatch } from "../lists/partial-match.js";
import { createParameters } from "../sql/parameters.js";
import { quote } from "../values/quote.js";
import { visibleAssetSql } from "../access/visibility.js";

const most = 3;

/** What may have been meant by filters that found nothing. */
export interface Suggestions {
  categories: string[];
  tags: string[];
  assets: NearAsset[];
}

/** Ids in the filters are resolved already. */
export async function findSuggestions(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
): Promise<Suggestions> {
  const { query, category, tag } = filters;
  const categories = category === undefined ? [] : await findNearCategories(db, caller, category);
  const tags = tag === undefined ? [] : await findNearTags(db, caller, tag);
  if (query === undefined) return { categories, tags, assets: [] };
  const deleted = await findDeleted(db, caller, filters);
  const near = await findNearOrFewer(db, caller, query);
  return { categories, tags, assets: [...deleted, ...near] };
}

/** The same in words. */
export async function suggestAssets(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
): Promise<string[]> {
  const { categories, tags, assets } = await findSuggestions(db, caller, filters);
  return [
    ...new Set([
      ...categories.map((name) => `category ${quote(name)}`),
      ...tags.map((name) => `tag ${quote(name)}`),
      ...assets.map(withState),
    ]),
  ];
}

/** Which assets a query of another list may be about, deleted ones too, as the `asset_id` to give. */
export async function suggestAssetIds(
  db: EntityManager,
  caller: Caller,
  query: string,
): Promise<string[]> {
  const matching = await findMatching(db, caller, { query, state: "all" });
  const assets = matching.length > 0 ? matching : await findNearOrFewer(db, caller, query);
  return assets.map((asset) => `asset_id ${nameAsset(asset)}`);
}

function withState(asset: NearAsset): string {
  return `${nameAsset(asset)}${asset.state === "deleted" ? ' is deleted; use state "all"' : ""}`;
}

/** What the filters would find among the deleted assets, which they left out. */
async function findDeleted(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
): Promise<NearAsset[]> {
  if (filters.state === "all" || filters.state === "deleted") return [];
  return findMatching(db, caller, { ...filters, state: "deleted" });
}

async function findMatching(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
): Promise<NearAsset[]> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  return db.query(
    `SELECT a.inventory_number, a.name, a.state FROM assets a
     WHERE ${conditions.join(" AND ")} ORDER BY lower(a.name), a.id LIMIT ${most}`,
    parameters.values,
  );
}

/** Names and numbers that look like the query, then what fewer of its words find. */
async function findNearOrFewer(
  db: EntityManager,
  caller: Caller,
  query: string,
): Promise<NearAsset[]> {
  const near = await findNearAssets(db, caller, query);
  if (near.length === most) return near;
  const parameters = createParameters(caller.organizationId);
  const fewer = partialMatch(query, parameters, "a");
  if (fewer === undefined) return near;
  const known = parameters.add(near.map(({ inventory_number: number }) => number));
  const found: NearAsset[] = await db.query(
    `SELECT a.inventory_number, a.name, a.state FROM assets a
     WHERE a.organization_id = $1 AND a.state <> 'deleted' AND ${visibleAssetSql(caller, parameters, "a")}
       AND a.inventory_number <> ALL (${known}::text[]) AND ${fewer.condition}
     ORDER BY ${fewer.order}, lower(a.name), a.id LIMIT ${most - near.length}`,
    parameters.values,
  );
  return [...near, ...found];
}

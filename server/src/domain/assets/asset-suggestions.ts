import type { Tx } from "../../db/database.js";
import { toConditions, type AssetFilters } from "./asset-filters.js";
import { findNearAssets, type NearAsset } from "../shared/asset-references.js";
import { findNearCategories, findNearTags } from "./categories.js";
import type { Caller } from "../access/caller.js";
import { partialMatch } from "../shared/partial-match.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";
import { queryWithTimeout } from "../../db/query-with-timeout.js";

const most = 3;

export interface Suggestions {
  categories: string[];
  tags: string[];
  assets: NearAsset[];
}

/** Returns undefined if nothing is similar. Ids in the filters must already be resolved. */
export async function findSuggestions(
  db: Tx,
  caller: Caller,
  filters: AssetFilters,
): Promise<Suggestions | undefined> {
  const { query, category, tag } = filters;
  const categories =
    category === undefined
      ? []
      : await queryWithTimeout(db, (tx) => findNearCategories(tx, caller, category));
  const tags =
    tag === undefined ? [] : await queryWithTimeout(db, (tx) => findNearTags(tx, caller, tag));
  const assets =
    query === undefined
      ? []
      : [
          ...(await findRetired(db, caller, filters)),
          ...(await findNearOrFewer(db, caller, query)),
        ];
  const isEmpty = categories.length + tags.length + assets.length === 0;
  return isEmpty ? undefined : { categories, tags, assets };
}

/** Returns the assets that a query in another list may mean, including retired ones. */
export async function findMeantAssets(db: Tx, caller: Caller, query: string): Promise<NearAsset[]> {
  const matching = await findMatching(db, caller, { query, state: "all" });
  return matching.length > 0 ? matching : findNearOrFewer(db, caller, query);
}

/** Returns matches among retired assets, which the filters excluded. */
async function findRetired(db: Tx, caller: Caller, filters: AssetFilters): Promise<NearAsset[]> {
  if ([filters.state].flat().some((state) => state === "all" || state === "deleted")) return [];
  return findMatching(db, caller, { ...filters, state: "deleted" });
}

async function findMatching(db: Tx, caller: Caller, filters: AssetFilters): Promise<NearAsset[]> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  conditions.push(visibleAssetSql(caller, parameters, "a"));
  return db.query(
    `SELECT a.inventory_number, a.name, a.state FROM assets a
     WHERE ${conditions.join(" AND ")} ORDER BY a.name_key, a.id LIMIT ${most}`,
    parameters.values,
    { replan: caller.organizationId },
  );
}

/**
 * Returns similar names and numbers, then matches for fewer of the query's words. Similarity is
 * compared with every asset, which takes seconds for many assets.
 */
async function findNearOrFewer(db: Tx, caller: Caller, query: string): Promise<NearAsset[]> {
  const near = await queryWithTimeout(db, (tx) => findNearAssets(tx, caller, query));
  if (near.length === most) return near;
  const parameters = createParameters(caller.organizationId);
  const fewer = partialMatch(query, parameters, "a");
  if (fewer === undefined) return near;
  const known = parameters.add(near.map(({ inventory_number: number }) => number));
  const found = await db.query<NearAsset>(
    `SELECT a.inventory_number, a.name, a.state FROM assets a
     WHERE a.organization_id = $1 AND a.state <> 'deleted' AND ${visibleAssetSql(caller, parameters, "a")}
       AND a.inventory_number <> ALL (${known}::text[]) AND ${fewer.condition}
     ORDER BY ${fewer.order}, a.name_key, a.id LIMIT ${most - near.length}`,
    parameters.values,
    { replan: caller.organizationId },
  );
  return [...near, ...found];
}

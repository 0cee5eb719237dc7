import type { StatementOptions, Tx } from "../../db/database.js";
import type { AssetState, Criticality, DeletionReason } from "../../db/entities/assets.js";
import {
  firstConditions,
  mayBeRetired,
  resolveFilters,
  toConditions,
  type AssetFilters,
} from "./asset-filters.js";
import { orderOf, orders, type AssetSort } from "./asset-orders.js";
import { findSuggestions, type Suggestions } from "./asset-suggestions.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { visibleAssetSql, visiblePlaces } from "../access/visibility.js";
import type { CursorCodec } from "../shared/cursors.js";
import {
  rowsAfterCursorSql,
  type ListedTable,
  nextCursor,
  orderBy,
  pageOf,
  positionOf,
  type PageRequest,
} from "../shared/keyset.js";
import { omit } from "../shared/omit.js";
import { toPage } from "../shared/page-rows.js";
import { countAndFind, countedSql, toTotal, type Total } from "../shared/totals.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { nextDueDate, overdueTaskCount } from "../tasks/task-counts.js";

export interface AssetListing extends AssetFilters {
  sort: AssetSort;
  limit: number;
  cursor?: string | undefined;
}

export interface AssetRow {
  id: string;
  inventory_number: string;
  name: string;
  state: AssetState;
  category: string | null;
  workspace_id: string | null;
  workspace_name: string | null;
  location: string | null;
  assigned_to_user_id: string | null;
  assigned_to: string | null;
  /** Set only when high or critical. */
  criticality: Criticality | null;
  /** Earliest due date of the open tasks. It may be in the past. */
  next_due_date: string | null;
  /** Null if there are none. */
  overdue_tasks: number | null;
  tags: string[];
  /** Only in lists about warranties. */
  warranty_expires_on?: string | null;
  /** Only in lists that may include retired assets. */
  deleted_at?: Date | null;
  deletion_reason?: DeletionReason | null;
}

export interface AssetPage extends Total {
  assets: AssetRow[];
  next_cursor?: string;
  /** Suggestions, set if nothing was found. */
  did_you_mean?: Suggestions;
}

const listed: ListedTable = {
  table: "assets",
  alias: "a",
  isVisible: (caller, parameters) => visibleAssetSql(caller, parameters, "a"),
};

export async function listAssets(
  db: Tx,
  caller: Caller,
  listing: AssetListing,
  cursors: CursorCodec,
): Promise<AssetPage> {
  const { sort, limit, cursor, ...filters } = listing;
  const scope = { organizationId: caller.organizationId, list: "assets", sort, filters };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const resolved = await resolveFilters(db, caller, filters);
  const order = orderOf(sort, filters.query);
  // No index has the order of a search.
  const isRanked = order !== orders[sort];
  const { rows, counts } = await countAndFind(
    { countsFirst: countsFirst(resolved), limit, after },
    () => countAssets(db, caller, resolved),
    (way) =>
      findRows(db, caller, resolved, { order, limit, after, way: isRanked ? "collect" : way }),
    (row) => toTotal(row?.counted),
  );
  const { rows: assets, last } = toPage(rows, limit, (row) => omit(row, "position", "counted"));
  const meant = counts.total_count === 0 ? await findSuggestions(db, caller, resolved) : undefined;
  return {
    assets,
    ...counts,
    ...nextCursor(cursors, scope, last),
    ...(meant !== undefined && { did_you_mean: meant }),
  };
}

function countsFirst({ query, tag, overdue }: AssetFilters): boolean {
  return (query ?? tag) !== undefined || overdue === true;
}

/** Without filters, an index provides the order for every caller. */
function planFor({ organizationId }: Caller, filters: AssetFilters): StatementOptions {
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return { replan: isFiltered ? organizationId : undefined };
}

async function findRows(
  db: Tx,
  caller: Caller,
  filters: AssetFilters,
  { order, limit, after, way }: PageRequest,
): Promise<(AssetRow & { position: string; counted?: number })[]> {
  const parameters = createParameters(caller.organizationId, ...(order.parameters ?? []));
  const isAfter =
    after === undefined
      ? "TRUE"
      : await rowsAfterCursorSql(db, caller, listed, { order, after, parameters });
  const ofAsset = "t.asset_id = a.id";
  const today = parameters.add(todayOf(caller));
  const sorted = `ORDER BY ${orderBy(order, listed)}`;
  const page = {
    where: [...toConditions(caller, filters, parameters, way !== "collect"), isAfter],
    whereOfAll: () => [...firstConditions(filters, parameters), isAfter],
    sorted,
    most: parameters.add(limit + 1),
  };
  const separately = way === "walk" && order === orders.name;
  const eachPlace = visiblePlaces(caller, parameters, "a", { separately });
  const warranties =
    order === orders.warranty_expires_on ||
    (filters.warranty_expires_from ??
      filters.warranty_expires_to ??
      filters.warranty_expires_before) !== undefined;
  return db.query(
    `SELECT a.id, a.inventory_number, a.name, a.state, c.name::text AS category, a.workspace_id,
       w.name::text AS workspace_name, a.location, a.assigned_to_user_id, u.name AS assigned_to,
       CASE WHEN a.criticality IN ('high', 'critical') THEN a.criticality END AS criticality,
       ${nextDueDate(ofAsset)} AS next_due_date,
       nullif(${overdueTaskCount(ofAsset, today)}, 0) AS overdue_tasks,
       to_json(a.tags) AS tags, ${mayBeRetired(filters) ? "a.deleted_at, a.deletion_reason," : ""}
       ${warranties ? "a.warranty_expires_on," : ""}
       ${positionOf(order)} AS position
       ${countsFirst(filters) ? "" : `, ${countSql(caller, filters, parameters)} AS counted`}
     FROM ${pageOf(listed, page, way, eachPlace)}
     LEFT JOIN asset_categories c ON c.organization_id = $1 AND c.id = a.category_id
     LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = a.workspace_id
     LEFT JOIN users u ON u.id = a.assigned_to_user_id
     ${sorted}`,
    parameters.values,
    planFor(caller, filters),
  );
}

async function countAssets(db: Tx, caller: Caller, filters: AssetFilters): Promise<Total> {
  const parameters = createParameters(caller.organizationId);
  const row = await db.maybe<{ counted: number }>(
    `SELECT ${countSql(caller, filters, parameters)} AS counted`,
    parameters.values,
    planFor(caller, filters),
  );
  return toTotal(row?.counted);
}

function countSql(caller: Caller, filters: AssetFilters, parameters: Parameters): string {
  const where = toConditions(caller, filters, parameters).join(" AND ");
  const separately = !countsFirst(filters);
  const eachPlace = visiblePlaces(caller, parameters, "a", { separately });
  return countedSql(eachPlace((place) => `SELECT FROM assets a WHERE ${where} AND ${place}`));
}

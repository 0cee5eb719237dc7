import type { EntityManager } from "typeorm";
import type { AssetState, Criticality } from "../../db/entities/asset.js";
import { findNearAssets } from "./asset-references.js";
import type { Caller } from "../caller.js";
import { todayOf } from "../clock.js";
import type { CursorKeeper, Position } from "../cursors.js";
import { matches, toAssigneeFilter, toWorkspaceFilter } from "../filter-references.js";
import {
  dayKey,
  isBehind,
  nextCursor,
  orderBy,
  positionOf,
  timeKey,
  type Order,
  type SortKey,
} from "../keyset.js";
import { omit } from "../omit.js";
import { toPage } from "../pages.js";
import { anywhere, createParameters, type Parameters } from "../parameters.js";
import { nextDueDate, overdueTaskCount } from "../tasks/task-counts.js";
import { checkDayRange } from "../time-ranges.js";
import { seesAsset } from "../visibility.js";

export type AssetSort =
  "name" | "inventory_number" | "-created_at" | "-updated_at" | "warranty_expires_on";

export interface AssetFilters {
  query?: string | undefined;
  /** Id or exact name, or "none" for assets that are not placed. */
  workspace_id?: string | undefined;
  /** Without it, everything but deleted assets. */
  state?: AssetState | "all" | undefined;
  category?: string | undefined;
  /** User id, email or "me", or "none" for unassigned. */
  assigned_to_user_id?: string | undefined;
  criticality?: Criticality | undefined;
  tag?: string | undefined;
  warranty_expires_from?: string | undefined;
  warranty_expires_before?: string | undefined;
  updated_since?: string | undefined;
}

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
  /** Only when high or critical. */
  criticality: Criticality | null;
  /** Of the open tasks; the day may have passed. */
  next_due_date: string | null;
  /** Only when there are any. */
  overdue_tasks: number | null;
  /** Only in a list that is about warranties. */
  warranty_expires_on?: string | null;
}

export interface AssetPage {
  assets: AssetRow[];
  total_count: number;
  next_cursor?: string;
  /** Names close to the query, when nothing was found. */
  did_you_mean?: string[];
}

const listed = { table: "assets", alias: "a" };

const orders: Record<AssetSort, Order> = {
  // In the words of the indexes; plain names would be in the order of code points on some databases.
  name: { keys: [textKey("lower(a.name)")], direction: "ASC" },
  inventory_number: { keys: [textKey("a.inventory_number")], direction: "ASC" },
  "-created_at": { keys: [timeKey("a.created_at")], direction: "DESC" },
  "-updated_at": { keys: [timeKey("a.updated_at")], direction: "DESC" },
  warranty_expires_on: {
    keys: [dayKey("a.warranty_expires_on", "infinity")],
    direction: "ASC",
  },
};

function textKey(expression: string): SortKey {
  return { expression, type: "text", text: expression };
}

/** One page of assets and how many there are in all. */
export async function listAssets(
  db: EntityManager,
  caller: Caller,
  listing: AssetListing,
  cursors: CursorKeeper,
): Promise<AssetPage> {
  const { sort, limit, cursor, ...filters } = listing;
  const scope = { organizationId: caller.organizationId, list: "assets", sort, filters };
  const after = cursor === undefined ? undefined : cursors.read(scope, cursor);
  const resolved = await resolveFilters(db, caller, filters);
  const [rows, [count]] = await Promise.all([
    findRows(db, caller, resolved, { order: orders[sort], limit, after }),
    countAssets(db, caller, resolved),
  ]);
  const { rows: assets, last } = toPage(rows, limit, (row) => omit(row, "position"));
  const total = count?.total ?? 0;
  const near =
    total === 0 && filters.query !== undefined
      ? await findNearAssets(db, caller, filters.query)
      : [];
  return {
    assets,
    total_count: total,
    ...nextCursor(cursors, scope, last),
    ...(near.length > 0 && { did_you_mean: near }),
  };
}

interface PageRequest {
  order: Order;
  limit: number;
  after: Position | undefined;
}

async function findRows(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
  { order, limit, after }: PageRequest,
): Promise<(AssetRow & { position: string })[]> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  if (after !== undefined) {
    conditions.push(await isBehind(db, caller, listed, { order, after, parameters }));
  }
  const ofAsset = "t.asset_id = a.id";
  const today = parameters.add(todayOf(caller));
  const most = parameters.add(limit + 1);
  const warranties =
    order === orders.warranty_expires_on ||
    (filters.warranty_expires_from ?? filters.warranty_expires_before) !== undefined;
  return db.query(
    `SELECT a.id, a.inventory_number, a.name, a.state, c.name::text AS category, a.workspace_id,
       w.name::text AS workspace_name, a.location, a.assigned_to_user_id, u.name AS assigned_to,
       CASE WHEN a.criticality IN ('high', 'critical') THEN a.criticality END AS criticality,
       ${nextDueDate(ofAsset)} AS next_due_date,
       nullif(${overdueTaskCount(ofAsset, today)}, 0) AS overdue_tasks,
       ${warranties ? "a.warranty_expires_on," : ""}
       ${positionOf(order)} AS position
     FROM assets a
     LEFT JOIN asset_categories c ON c.organization_id = a.organization_id AND c.id = a.category_id
     LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
     LEFT JOIN users u ON u.id = a.assigned_to_user_id
     WHERE ${conditions.join(" AND ")}
     ORDER BY ${orderBy(order, listed)} LIMIT ${most}`,
    parameters.values,
  );
}

async function countAssets(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
): Promise<{ total: number }[]> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  return db.query(
    `SELECT count(*)::int AS total FROM assets a WHERE ${conditions.join(" AND ")}`,
    parameters.values,
  );
}

/** Turns names into ids; what the caller may not see is not found. */
async function resolveFilters(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
): Promise<AssetFilters> {
  checkDayRange(
    ["warranty_expires_from", filters.warranty_expires_from],
    ["warranty_expires_before", filters.warranty_expires_before],
  );
  const { workspace_id: workspace, assigned_to_user_id: person } = filters;
  const resolved = { ...filters };
  if (workspace !== undefined) {
    resolved.workspace_id = await toWorkspaceFilter(db, caller, workspace);
  }
  if (person !== undefined) {
    resolved.assigned_to_user_id = await toAssigneeFilter(
      db,
      caller,
      person,
      (parameters) =>
        `FROM assets a WHERE a.organization_id = $1 AND a.assigned_to_user_id = $2
           AND ${seesAsset(caller, parameters, "a")}`,
    );
  }
  return resolved;
}

/** The conditions depend on which filters are present; their order is always the same. */
function toConditions(caller: Caller, filters: AssetFilters, parameters: Parameters): string[] {
  const { add } = parameters;
  const conditions = ["a.organization_id = $1", ...stateConditions(filters.state, parameters)];
  const visible = seesAsset(caller, parameters, "a");
  if (visible !== "TRUE") conditions.push(visible);
  const given = <Value>(value: Value | undefined, toCondition: (value: Value) => string) => {
    if (value !== undefined) conditions.push(toCondition(value));
  };
  given(filters.workspace_id, (id) => matches("a.workspace_id", id, parameters));
  given(
    filters.category,
    (name) =>
      `a.category_id = (SELECT k.id FROM asset_categories k
        WHERE k.organization_id = $1 AND k.name = ${add(name)}::citext)`,
  );
  given(filters.assigned_to_user_id, (id) => matches("a.assigned_to_user_id", id, parameters));
  given(filters.criticality, (criticality) => `a.criticality = ${add(criticality)}`);
  given(filters.tag, (tag) => `a.tags @> ARRAY[${add(tag.toLowerCase())}]`);
  given(filters.warranty_expires_from, (day) => `a.warranty_expires_on >= ${add(day)}::date`);
  given(filters.warranty_expires_before, (day) => `a.warranty_expires_on < ${add(day)}::date`);
  given(filters.updated_since, (at) => `a.updated_at >= ${add(at)}::timestamptz`);
  given(filters.query, (query) => {
    const part = add(anywhere(query));
    return `(a.search @@ websearch_to_tsquery('simple', ${add(query)}) OR a.name ILIKE ${part}
      OR a.inventory_number ILIKE ${part} OR a.serial_number ILIKE ${part})`;
  });
  return conditions;
}

/** Says "not deleted" in the words of the partial index wherever it is true. */
function stateConditions(state: AssetFilters["state"], { add }: Parameters): string[] {
  const notDeleted = "a.state <> 'deleted'";
  if (state === undefined) return [notDeleted];
  if (state === "all") return [];
  if (state === "deleted") return ["a.state = 'deleted'"];
  return [notDeleted, `a.state = ${add(state)}`];
}

import type { EntityManager } from "typeorm";
import type { AssetState, Criticality } from "../db/entities/asset.js";
import { findNearAssets } from "./asset-references.js";
import type { Caller } from "./caller.js";
import { wrongCursor, type CursorKeeper, type CursorScope, type Position } from "./cursors.js";
import { idKindOf } from "./ids.js";
import { omit } from "./omit.js";
import { toPage } from "./pages.js";
import { anywhere, createParameters, type Parameters } from "./parameters.js";
import { getPerson } from "./person-references.js";
import { seesAsset } from "./visibility.js";
import { getWorkspace } from "./workspace-references.js";

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
}

export interface AssetPage {
  assets: AssetRow[];
  total_count: number;
  next_cursor?: string;
  /** Names close to the query, when nothing was found. */
  did_you_mean?: string[];
}

interface Order {
  /** What rows are sorted and paged by, before the id. */
  expression: string;
  direction: "ASC" | "DESC";
  type: string;
  /** The same as a text that a cursor carries without loss. */
  text: string;
}

const orders: Record<AssetSort, Order> = {
  // In the words of the indexes; plain names would be in the order of code points on some databases.
  name: { expression: "lower(a.name)", direction: "ASC", type: "text", text: "lower(a.name)" },
  inventory_number: {
    expression: "a.inventory_number",
    direction: "ASC",
    type: "text",
    text: "a.inventory_number",
  },
  "-created_at": moment("a.created_at"),
  "-updated_at": moment("a.updated_at"),
  warranty_expires_on: {
    expression: "coalesce(a.warranty_expires_on, 'infinity')",
    direction: "ASC",
    type: "date",
    text: "coalesce(a.warranty_expires_on, 'infinity')::text",
  },
};

function moment(column: string): Order {
  const text = `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return { expression: column, direction: "DESC", type: "timestamptz", text };
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
    ...(last !== undefined && { next_cursor: writeCursor(cursors, scope, last) }),
    ...(near.length > 0 && { did_you_mean: near }),
  };
}

function writeCursor(
  cursors: CursorKeeper,
  scope: CursorScope,
  last: { id: string; position: string },
): string {
  return cursors.write(scope, { id: last.id, value: last.position });
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
  const { expression, direction, type, text } = order;
  if (after !== undefined) {
    const value = after.value ?? (await findPosition(db, caller, order, after.id));
    conditions.push(
      `(${expression}, a.id) ${direction === "ASC" ? ">" : "<"} (${parameters.add(value)}::${type}, ${parameters.add(after.id)})`,
    );
  }
  const most = parameters.add(limit + 1);
  return db.query(
    `SELECT a.id, a.inventory_number, a.name, a.state, c.name::text AS category, a.workspace_id,
       w.name::text AS workspace_name, a.location, a.assigned_to_user_id, u.name AS assigned_to,
       CASE WHEN a.criticality IN ('high', 'critical') THEN a.criticality END AS criticality,
       ${text} AS position
     FROM assets a
     LEFT JOIN asset_categories c ON c.organization_id = a.organization_id AND c.id = a.category_id
     LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
     LEFT JOIN users u ON u.id = a.assigned_to_user_id
     WHERE ${conditions.join(" AND ")}
     ORDER BY ${expression} ${direction}, a.id ${direction} LIMIT ${most}`,
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

/** Where a page ended whose last value was too long for the cursor. */
async function findPosition(
  db: EntityManager,
  caller: Caller,
  { text }: Order,
  id: string,
): Promise<string> {
  const rows: { position: string }[] = await db.query(
    `SELECT ${text} AS position FROM assets a WHERE a.organization_id = $1 AND a.id = $2`,
    [caller.organizationId, id],
  );
  const row = rows[0];
  if (row === undefined) throw wrongCursor();
  return row.position;
}

/** Turns names into ids; what the caller may not see is not found. */
async function resolveFilters(
  db: EntityManager,
  caller: Caller,
  filters: AssetFilters,
): Promise<AssetFilters> {
  const { workspace_id: workspace, assigned_to_user_id: person } = filters;
  const resolved = { ...filters };
  if (workspace !== undefined) {
    const none = isNone(workspace);
    resolved.workspace_id = none ? "none" : (await getWorkspace(db, caller, workspace)).id;
  }
  if (person !== undefined) {
    const none = isNone(person);
    resolved.assigned_to_user_id = none ? "none" : await findAssigneeId(db, caller, person);
  }
  return resolved;
}

function isNone(text: string): boolean {
  return text.toLowerCase() === "none";
}

/** Whoever a visible asset names can be asked for, even after leaving or from another workspace. */
async function findAssigneeId(
  db: EntityManager,
  caller: Caller,
  reference: string,
): Promise<string> {
  if (idKindOf(reference) === "user") {
    const parameters = createParameters(caller.organizationId, reference);
    const rows: unknown[] = await db.query(
      `SELECT 1 FROM assets a WHERE a.organization_id = $1 AND a.assigned_to_user_id = $2
         AND ${seesAsset(caller, parameters, "a")} LIMIT 1`,
      parameters.values,
    );
    if (rows.length > 0) return reference;
  }
  return (await getPerson(db, caller, reference)).id;
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
  given(filters.workspace_id, (id) =>
    id === "none" ? "a.workspace_id IS NULL" : `a.workspace_id = ${add(id)}`,
  );
  given(
    filters.category,
    (name) =>
      `a.category_id = (SELECT k.id FROM asset_categories k
        WHERE k.organization_id = $1 AND k.name = ${add(name)}::citext)`,
  );
  given(filters.assigned_to_user_id, (id) =>
    id === "none" ? "a.assigned_to_user_id IS NULL" : `a.assigned_to_user_id = ${add(id)}`,
  );
  given(filters.criticality, (criticality) => `a.criticality = ${add(criticality)}`);
  given(filters.tag, (tag) => `a.tags @> ARRAY[${add(tag.toLowerCase())}]`);
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

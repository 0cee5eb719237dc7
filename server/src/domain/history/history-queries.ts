import type { Tx } from "../../db/database.js";
import type { OrganizationEventType } from "../../db/entities/audit.js";
import type { HistoryEventType, HistorySource } from "../../db/entities/history.js";
import { getAssetId, type NearAsset } from "../shared/asset-references.js";
import { findMeantAssets } from "../assets/asset-suggestions.js";
import type { Caller } from "../access/caller.js";
import type { CursorCodec } from "../shared/cursors.js";
import { matches, toPersonFilter, toWorkspaceFilter } from "../shared/filter-references.js";
import { checkHistoryField } from "./history-fields.js";
import {
  createEventViewer,
  eventColumns,
  eventJoins,
  type EventRow,
  type ShownEvent,
} from "./event-rows.js";
import { matchesQuery, readQuery, seesManyPlaces, type QueryMatch } from "./query-match.js";
import {
  rowsAfterCursorSql,
  type ListedTable,
  nextCursor,
  orderBy,
  pageOf,
  positionOf,
  timeKey,
  type Order,
  type PageRequest,
} from "../shared/keyset.js";
import { toPage } from "../shared/page-rows.js";
import { countAndFind, countedSql, toTotal, type Total } from "../shared/totals.js";
import { getTaskId } from "../shared/task-references.js";
import { anywhere, createParameters, type Parameters } from "../../db/parameters.js";
import { checkTimeRange, inTimeRange } from "../shared/time-ranges.js";
import { visibleEventPlaces, visibleEventSql, type EachPlace } from "../access/visibility.js";

export interface HistoryFilters {
  query?: string | undefined;
  /** Id or inventory number, including those of retired assets. */
  asset_id?: string | undefined;
  /** Id or task number. */
  task_id?: string | undefined;
  /**
   * Where the event happened: id, exact name, or "none" for events without a workspace at that
   * time.
   */
  workspace_id?: string | undefined;
  /** User id, email or "me". */
  actor_user_id?: string | undefined;
  event_types?: (HistoryEventType | OrganizationEventType)[] | undefined;
  source?: HistorySource | undefined;
  /** Part of an app's name, or its id. Apps make their changes with tools. */
  client?: string | undefined;
  client_id?: string | undefined;
  field?: string | undefined;
  /** A day or an instant. See `time-ranges.ts`. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface HistoryListing extends HistoryFilters {
  order: "newest" | "oldest";
  limit: number;
  cursor?: string | undefined;
}

export interface FoundEvent<Type = HistoryEventType> extends Omit<ShownEvent, "type"> {
  type: Type;
  asset_id: string | null;
  inventory_number: string | null;
  asset_name: string | null;
}

export interface HistoryPage<Type = HistoryEventType> extends Total {
  events: FoundEvent<Type>[];
  next_cursor?: string;
  /** Assets that the words may refer to, set if nothing was found. */
  did_you_mean?: NearAsset[];
}

interface ResolvedFilters extends Omit<HistoryFilters, "query"> {
  words?: QueryMatch;
  /** True if workspaces are checked on the rows that the words find, instead of in their index. */
  inRows?: boolean;
}

const listed: ListedTable = {
  table: "history_events",
  alias: "e",
  isVisible: (caller, parameters) => visibleEventSql(caller, parameters, "e"),
};
const keys = [
  timeKey("e.occurred_at"),
  { expression: "e.sequence", type: "bigint", text: "e.sequence::text" },
];
const orders: Record<HistoryListing["order"], Order> = {
  newest: { keys, direction: "DESC" },
  oldest: { keys, direction: "ASC" },
};

export async function searchHistory(
  db: Tx,
  caller: Caller,
  listing: HistoryListing,
  cursors: CursorCodec,
): Promise<HistoryPage> {
  const { order, limit, cursor, ...filters } = listing;
  checkHistoryField(filters.field);
  checkTimeRange(caller, filters);
  const scope = { organizationId: caller.organizationId, list: "history", sort: order, filters };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const resolved = await resolveFilters(db, caller, filters);
  const { rows, counts } = await countAndFind(
    { countsFirst: isRare(resolved), limit },
    () => countRows(db, caller, resolved),
    (way) => findRows(db, caller, resolved, { order: orders[order], limit, after, way }),
  );
  const { query, asset_id: asset } = filters;
  const show = await createEventViewer(db, caller, rows);
  const { rows: events, last } = toPage(rows, limit, (row) => ({
    ...show(row),
    asset_id: row.asset_id,
    inventory_number: row.inventory_number,
    asset_name: row.asset_name,
  }));
  const meant =
    counts.total_count === 0 && query !== undefined && asset === undefined
      ? await findMeantAssets(db, caller, query)
      : [];
  return {
    events,
    ...counts,
    ...nextCursor(cursors, scope, last),
    ...(meant.length > 0 && { did_you_mean: meant }),
  };
}

function isRare({ words, field, client, client_id: clientId }: ResolvedFilters): boolean {
  return (words ?? field ?? client ?? clientId) !== undefined;
}

interface FoundRow extends EventRow {
  asset_id: string | null;
  inventory_number: string | null;
  asset_name: string | null;
  position: string;
}

/** Frequent matches are soon found when scanning from the newest event to the oldest. */
async function findRows(
  db: Tx,
  caller: Caller,
  filters: ResolvedFilters,
  { order, limit, after, way }: PageRequest,
): Promise<FoundRow[]> {
  const parameters = createParameters(caller.organizationId);
  const isAfter =
    after === undefined
      ? "TRUE"
      : await rowsAfterCursorSql(db, caller, listed, { order, after, parameters });
  const sorted = `ORDER BY ${orderBy(order, listed)}`;
  const page = {
    where: [...toConditions(caller, filters, parameters, way !== "collect"), isAfter],
    whereOfAll: (place: string) => ["e.organization_id = $1", isAfter, place],
    sorted,
    most: parameters.add(limit + 1),
  };
  const eachPlace = eachPlaceOf(caller, filters, parameters, { separately: way !== "collect" });
  // Selects the page first, so names are looked up only for its rows.
  return db.query(
    `SELECT ${eventColumns}, e.asset_id, a.inventory_number, a.name AS asset_name,
       ${positionOf(order)} AS position
     FROM ${pageOf(listed, page, way, eachPlace)}
     LEFT JOIN assets a ON a.organization_id = e.organization_id AND a.id = e.asset_id
     ${eventJoins} ${sorted}`,
    parameters.values,
    { replan: caller.organizationId },
  );
}

async function countRows(db: Tx, caller: Caller, filters: ResolvedFilters): Promise<Total> {
  const parameters = createParameters(caller.organizationId);
  const where = toConditions(caller, filters, parameters).join(" AND ");
  const eachPlace = eachPlaceOf(caller, filters, parameters, { separately: false });
  const events = eachPlace((place) => `SELECT FROM history_events e WHERE ${where} AND ${place}`);
  const row = await db.maybe<{ counted: number }>(
    `SELECT ${countedSql(events)} AS counted`,
    parameters.values,
    { replan: caller.organizationId },
  );
  return toTotal(row?.counted);
}

/** Resolves references to ids. References the caller may not see are not found. */
async function resolveFilters(
  db: Tx,
  caller: Caller,
  { query, ...filters }: HistoryFilters,
): Promise<ResolvedFilters> {
  const { asset_id: asset, task_id: task, workspace_id: workspace, actor_user_id: actor } = filters;
  const resolved: ResolvedFilters = { ...filters };
  if (asset !== undefined) resolved.asset_id = await getAssetId(db, caller, asset);
  if (workspace !== undefined) {
    resolved.workspace_id = await toWorkspaceFilter(db, caller, workspace);
  }
  if (actor !== undefined) {
    resolved.actor_user_id = await toPersonFilter(
      db,
      caller,
      actor,
      (parameters) =>
        `FROM history_events e WHERE e.organization_id = $1 AND e.actor_user_id = $2
           AND ${visibleEventSql(caller, parameters, "e")}`,
      "actor_user_id",
    );
  }
  if (task !== undefined) resolved.task_id = await getTaskId(db, caller, task);
  if (query !== undefined) resolved.words = await readQuery(db, caller, query);
  if ((query ?? filters.field) !== undefined) resolved.inRows = await seesManyPlaces(db, caller);
  return resolved;
}

/**
 * An asset's events come from the asset's index, and each is checked for visibility. It may be
 * moved out of sight meanwhile.
 */
function eachPlaceOf(
  caller: Caller,
  { asset_id: asset, inRows = false }: ResolvedFilters,
  parameters: Parameters,
  { separately }: { separately: boolean },
): EachPlace {
  const isOfOne = asset !== undefined;
  return visibleEventPlaces(caller, parameters, "e", {
    separately: separately && !isOfOne,
    inRows: inRows || isOfOne,
  });
}

/**
 * Returns the conditions for the present filters, in a fixed order. Visibility is separate, see
 * `eachPlaceOf`. With `isWalked`, events are scanned in order until the page is full, instead of
 * being found by their words.
 */
function toConditions(
  caller: Caller,
  filters: ResolvedFilters,
  parameters: Parameters,
  isWalked = false,
): string[] {
  const { add } = parameters;
  const conditions = ["e.organization_id = $1"];
  const given = <Value>(value: Value | undefined, toCondition: (value: Value) => string) => {
    if (value !== undefined) conditions.push(toCondition(value));
  };
  given(filters.asset_id, (id) => `e.asset_id = ${add(id)}`);
  given(filters.task_id, (id) => `e.task_id = ${add(id)}`);
  given(filters.workspace_id, (id) => matches("e.workspace_id", id, parameters));
  given(filters.actor_user_id, (id) => `e.actor_user_id = ${add(id)}`);
  given(filters.event_types, (types) => `e.type = ANY (${add(types)}::text[])`);
  given(filters.source ?? (filters.client && "mcp"), (source) => `e.source = ${add(source)}`);
  given(
    filters.client,
    (client) => `e.client_id IS NOT NULL
      AND (e.client_name ILIKE ${add(anywhere(client))} OR e.client_id = ${add(client)})`,
  );
  given(filters.client_id, (id) => `e.client_id = ${add(id)}`);
  given(filters.field, (field) => {
    const changed = `e.changes @> ${add(JSON.stringify([{ field }]))}::jsonb`;
    // An event's words include the names of its changed fields.
    return isWalked
      ? changed
      : `(e.search @@ plainto_tsquery('simple', fettle_fold(${add(field)})) AND ${changed})`;
  });
  conditions.push(...inTimeRange("e.occurred_at", caller, filters, parameters));
  given(filters.words, (words) => {
    const found = matchesQuery(caller, words, parameters, "e");
    return isWalked ? `(${found}) IS TRUE` : found;
  });
  return conditions;
}

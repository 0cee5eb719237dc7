import type { Tx } from "../../db/database.js";
import type { AssetState, Criticality } from "../../db/entities/assets.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import {
  isOneOf,
  matches,
  toAssigneeFilter,
  toWorkspaceFilter,
} from "../shared/filter-references.js";
import type { Parameters } from "../../db/parameters.js";
import { matchesWords } from "../shared/word-match.js";
import { checkDayRange } from "../shared/time-ranges.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import { visibleAssetSql } from "../access/visibility.js";

export type AssetListState = AssetState | "all";

export interface AssetFilters {
  query?: string | undefined;
  /** Id or exact name, or "none" for assets without a workspace. */
  workspace_id?: string | undefined;
  /** One or several. Defaults to everything except retired assets. */
  state?: AssetListState | readonly AssetListState[] | undefined;
  category?: string | undefined;
  /** User id, email or "me", or "none" for unassigned. */
  assigned_to_user_id?: string | undefined;
  criticality?: Criticality | readonly Criticality[] | undefined;
  tag?: string | undefined;
  warranty_expires_from?: string | undefined;
  warranty_expires_to?: string | undefined;
  /** Excludes this day. */
  warranty_expires_before?: string | undefined;
  /** Only assets without open tasks, or only assets with overdue tasks. */
  without_open_tasks?: boolean | undefined;
  overdue?: boolean | undefined;
  /** Never seen, or last seen before this day. */
  not_seen_since?: string | undefined;
  updated_since?: string | undefined;
}

/** Resolves names to ids. Names the caller may not see are not found. */
export async function resolveFilters(
  db: Tx,
  caller: Caller,
  filters: AssetFilters,
): Promise<AssetFilters> {
  for (const end of ["warranty_expires_to", "warranty_expires_before"] as const) {
    checkDayRange(["warranty_expires_from", filters.warranty_expires_from], [end, filters[end]]);
  }
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
           AND ${visibleAssetSql(caller, parameters, "a")}`,
    );
  }
  return resolved;
}

/**
 * Returns the conditions for the present filters, in a fixed order. Visibility is separate, see
 * `visiblePlaces`. With `isWalked`, assets are scanned in list order until the page is full,
 * instead of being found by their overdue work.
 */
export function toConditions(
  caller: Caller,
  filters: AssetFilters,
  parameters: Parameters,
  isWalked = false,
): string[] {
  const { add } = parameters;
  const conditions = firstConditions(filters, parameters);
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
  given(filters.criticality, (criticality) => isOneOf("a.criticality", criticality, parameters));
  given(filters.tag, (tag) => `a.tags @> ARRAY[${add(tag.toLowerCase())}]`);
  given(filters.warranty_expires_from, (day) => `a.warranty_expires_on >= ${add(day)}::date`);
  given(filters.warranty_expires_before, (day) => `a.warranty_expires_on < ${add(day)}::date`);
  given(filters.warranty_expires_to, (day) => `a.warranty_expires_on <= ${add(day)}::date`);
  const work = "FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.asset_id = a.id";
  if (filters.without_open_tasks === true) {
    // Matches the condition of the index of open work. Only tasks of retired assets are hidden.
    const isShown = mayBeRetired(filters) ? "" : "AND NOT t.hidden";
    conditions.push(`NOT EXISTS (SELECT ${work} ${isShown} AND ${isOpen("t")})`);
  }
  if (filters.overdue === true) {
    const isLate = isOverdue("t", add(todayOf(caller)));
    conditions.push(
      isWalked
        ? `EXISTS (SELECT ${work} AND ${isLate})`
        : `a.id = ANY (ARRAY(SELECT t.asset_id FROM maintenance_tasks t
            WHERE t.organization_id = $1 AND t.asset_id IS NOT NULL AND ${isLate}))`,
    );
  }
  given(
    filters.not_seen_since,
    (day) => `coalesce(a.last_seen_at, '-infinity')
      < (${add(day)}::date)::timestamp AT TIME ZONE ${add(caller.timeZone)}`,
  );
  given(filters.updated_since, (at) => `a.updated_at >= ${add(at)}::timestamptz`);
  given(filters.query, (query) =>
    matchesWords(
      ["a.name", "a.inventory_number", "a.serial_number"],
      "a.search",
      query,
      parameters,
    ),
  );
  return conditions;
}

/** Conditions that match the leading columns of every list index. */
export function firstConditions({ state }: AssetFilters, parameters: Parameters): string[] {
  return ["a.organization_id = $1", ...stateConditions(state, parameters)];
}

export function mayBeRetired({ state }: AssetFilters): boolean {
  return state !== undefined && [state].flat().some((each) => each === "all" || each === "deleted");
}

/** Repeats the partial index's "not retired" condition wherever it is true. */
function stateConditions(state: AssetFilters["state"], { add }: Parameters): string[] {
  const notDeleted = "a.state <> 'deleted'";
  const states = state === undefined ? [] : [state].flat();
  if (states.includes("all")) return [];
  const [first] = states;
  if (first === undefined) return [notDeleted];
  if (states.length > 1) {
    const isListed = `a.state = ANY (${add(states)}::text[])`;
    return states.includes("deleted") ? [isListed] : [notDeleted, isListed];
  }
  return first === "deleted" ? ["a.state = 'deleted'"] : [notDeleted, `a.state = ${add(first)}`];
}

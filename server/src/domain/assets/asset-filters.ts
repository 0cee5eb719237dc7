import type { EntityManager } from "typeorm";
import type { AssetState, Criticality } from "../../db/entities/asset.js";
import type { Caller } from "../access/caller.js";
import { matches, toAssigneeFilter, toWorkspaceFilter } from "../references/filter-references.js";
import type { Parameters } from "../sql/parameters.js";
import { matchesWords } from "../lists/word-match.js";
import { checkDayRange } from "../lists/time-ranges.js";
import { visibleAssetSql } from "../access/visibility.js";

export interface AssetFilters {
  query?: string | undefined;
  /** Id or exact name, or "none" for assets that are not placed. */
  workspace_id?: string | undefined;
  /** Without it, everything but retired assets. */
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

/** Turns names into ids; what the caller may not see is not found. */
export async function resolveFilters(
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
           AND ${visibleAssetSql(caller, parameters, "a")}`,
    );
  }
  return resolved;
}

/**
 * The conditions depend on which filters are present; their order is always the same. What the caller
 * sees is not among them, see `visiblePlaces`.
 */
export function toConditions(filters: AssetFilters, parameters: Parameters): string[] {
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
  given(filters.criticality, (criticality) => `a.criticality = ${add(criticality)}`);
  given(filters.tag, (tag) => `a.tags @> ARRAY[${add(tag.toLowerCase())}]`);
  given(filters.warranty_expires_from, (day) => `a.warranty_expires_on >= ${add(day)}::date`);
  given(filters.warranty_expires_before, (day) => `a.warranty_expires_on < ${add(day)}::date`);
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

/** What the indexes of all orders begin with, whoever asks for what. */
export function firstConditions({ state }: AssetFilters, parameters: Parameters): string[] {
  return ["a.organization_id = $1", ...stateConditions(state, parameters)];
}

/** Says "not retired" in the words of the partial index wherever it is true. */
function stateConditions(state: AssetFilters["state"], { add }: Parameters): string[] {
  const notDeleted = "a.state <> 'deleted'";
  if (state === undefined) return [notDeleted];
  if (state === "all") return [];
  if (state === "deleted") return ["a.state = 'deleted'"];
  return [notDeleted, `a.state = ${add(state)}`];
}

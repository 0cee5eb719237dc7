import type { AssetListState } from "../../domain/assets/asset-filters.js";
import type { AssetSort } from "../../domain/assets/asset-orders.js";
import type { AssetListing } from "../../domain/assets/asset-queries.js";
import { translated } from "../../language/translate.js";
import { choiceField, dayField, readForm, textField } from "../forms/form-fields.js";
import { personField } from "../forms/person-choice.js";
import { readFilterText, renameFilter, toListQuery } from "../lists/list-query.js";
import type { ListFilters } from "../lists/list-route.js";
import { assetStateTexts, choicesOf, criticalityLabels } from "../text/value-labels.js";

export const stateFilterLabels: Record<AssetListState, string> = translated({
  ...assetStateTexts,
  all: "Include retired",
});

export const sortLabels: Record<AssetSort, string> = translated({
  name: "Name",
  "-name": "Name, Z to A",
  inventory_number: "Inventory number",
  "-created_at": "Last added",
  "-updated_at": "Last changed",
  warranty_expires_on: "Warranty ends first",
});

const filterFields = {
  q: textField("Search"),
  workspace_id: textField("Workspace"),
  state: choiceField("State", choicesOf(stateFilterLabels)),
  category: textField("Category"),
  criticality: choiceField("Criticality", choicesOf(criticalityLabels)),
  assignee: personField("Assignee"),
  tag: textField("Tag"),
  warranty_from: dayField("Warranty ends from"),
  warranty_before: dayField("Warranty ends before"),
  sort: choiceField("Sort", choicesOf(sortLabels)),
  cursor: textField("Page"),
};

export type FilterName = keyof typeof filterFields;

export type ReadFilters = ListFilters<FilterName, AssetListing>;

const rowsOnPage = 30;

export function readFilters(query: unknown): ReadFilters {
  const { values, given, errors } = readForm(renameFilter(query), filterFields);
  const text = (name: "q" | "workspace_id" | "category" | "assignee" | "tag", max: number) =>
    readFilterText(given[name], { field: name, label: filterFields[name].label(), max }, errors);
  const listing: AssetListing = {
    query: text("q", 200),
    workspace_id: text("workspace_id", 100),
    state: given.state,
    category: text("category", 100),
    criticality: given.criticality,
    assigned_to_user_id: text("assignee", 254),
    tag: text("tag", 40),
    warranty_expires_from: given.warranty_from,
    warranty_expires_before: given.warranty_before,
    sort: given.sort ?? "name",
    limit: rowsOnPage,
    cursor: given.cursor,
  };
  return { values: { ...values, sort: listing.sort }, listing, errors };
}

/** The default filters, omitted from addresses. */
export const usual = { sort: "name" };

/** The list's query with these filters, without the cursor and default filters. */
export function toQuery(values: Partial<Record<FilterName, string>>): URLSearchParams {
  return toListQuery(values, usual);
}

export function isNarrowed({ values }: ReadFilters): boolean {
  return toQuery({ ...values, sort: "" }).size > 0;
}

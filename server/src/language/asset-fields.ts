import type { PlainText } from "./texts.js";

/* The fields of an asset on pages: their labels, their order in forms, and their order among the facts. */

export const assetTerms = {
  name: "Name",
  state: "State",
  inventory_number: "Inventory number",
  category: "Category",
  workspace_id: "Workspace",
  assigned_to_user_id: "Assignee",
  parent_asset_id: "Part of",
  description: "Description",
  manufacturer: "Manufacturer",
  model: "Model",
  serial_number: "Serial number",
  location: "Location",
  criticality: "Criticality",
  condition: "Condition",
  supplier: "Supplier",
  purchase_date: "Purchase date",
  purchase_cost: "Purchase cost",
  currency: "Currency",
  cost_center: "Cost center",
  warranty_expires_on: "Warranty ends",
  in_service_date: "In service since",
  end_of_life_on: "End of life",
  tags: "Tags",
} as const;

export type AssetFieldName = keyof typeof assetTerms;

/** Fieldsets that are folded while they are empty. One row is one line on a wide screen. */
export const foldedFieldsets: { title: PlainText; rows: AssetFieldName[][] }[] = [
  {
    title: "Assignee, criticality and condition",
    rows: [
      ["assigned_to_user_id", "state"],
      ["criticality", "condition"],
    ],
  },
  {
    title: "Make, model and numbers",
    rows: [["manufacturer", "model"], ["serial_number", "inventory_number"], ["parent_asset_id"]],
  },
  {
    title: "Purchase, warranty and lifetime",
    rows: [
      ["supplier", "purchase_date"],
      ["purchase_cost", "currency"],
      ["cost_center"],
      ["warranty_expires_on", "in_service_date", "end_of_life_on"],
    ],
  },
  { title: "Description and tags", rows: [["description"], ["tags"]] },
];

/** The facts of an asset, in the order of the page. */
export const factNames = [
  "workspace_id",
  "location",
  "parent_asset_id",
  "assigned_to_user_id",
  "category",
  "manufacturer",
  "model",
  "serial_number",
  "criticality",
  "condition",
  "tags",
  "supplier",
  "purchase_date",
  "purchase_cost",
  "cost_center",
  "warranty_expires_on",
  "in_service_date",
  "end_of_life_on",
] as const;

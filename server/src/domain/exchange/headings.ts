import { assetFields } from "../../db/entities/assets.js";
import { completionFields, plannedFields } from "../../db/entities/tasks.js";
import { fieldTerms, headingTerms } from "../../language/field-terms.js";
import { workspaceFields } from "../../db/entities/organizations.js";

const terms: Partial<Record<string, string>> = { ...fieldTerms, ...headingTerms };

/** The heading of a field in exported files, such as "Purchase cost". */
export function toHeading(field: string): string {
  const term = terms[field] ?? field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
  return term.replace(/\|\|.*$/, "");
}

export const assetColumns = [
  "inventory_number",
  "name",
  "state",
  ...Object.keys(assetFields).filter((name) => !["inventory_number", "name"].includes(name)),
];

export const taskColumns = [
  "task_number",
  "title",
  "state",
  "asset_id",
  "asset_name",
  "workspace_id",
  ...Object.keys(plannedFields).filter((name) => name !== "title"),
  "procedure",
  "completed_at",
  ...Object.keys(completionFields),
  "currency",
];

/** The columns of a file of people. A person has one row for each workspace, or one row without any. */
export const peopleColumns = [
  ...["email", "name", "organization_role", "workspace_id", "workspace_role"],
  ...["joined_at", "last_active_at", "access_ends_on"],
];

export const workspaceColumns = Object.keys(workspaceFields);

/** One value for each column, in the order of the columns. */
export type SheetRow = readonly (string | number | null)[];

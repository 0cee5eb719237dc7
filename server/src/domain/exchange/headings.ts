import { assetFields } from "../../db/entities/assets.js";
import { completionFields, plannedFields } from "../../db/entities/tasks.js";
import { workspaceFields } from "../../db/entities/organizations.js";

/** What the columns of exported files are called that are not called like their field. */
const words: Partial<Record<string, string>> = {
  workspace_id: "Workspace",
  parent_asset_id: "Part of",
  assigned_to_user_id: "Assignee",
  task_number: "Task number",
  asset_id: "Asset number",
  currency: "Currency",
  warranty_expires_on: "Warranty ends",
  in_service_date: "In service since",
  end_of_life_on: "End of life",
  requires_downtime: "Takes asset out of use",
};

/** "Purchase cost". */
export function toHeading(field: string): string {
  const known = words[field];
  if (known !== undefined) return known;
  const text = field.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The columns of a file of assets, in their order. */
export const assetColumns = [
  "inventory_number",
  "name",
  "state",
  ...Object.keys(assetFields).filter((name) => !["inventory_number", "name"].includes(name)),
];

/** The columns of a file of tasks. */
export const taskColumns = [
  "task_number",
  "title",
  "state",
  "asset_id",
  "asset_name",
  "workspace_id",
  ...Object.keys(plannedFields).filter((name) => name !== "title"),
  "completed_at",
  ...Object.keys(completionFields),
  "currency",
];

/** The columns of a file of people: a row for each of their workspaces, one for who has none. */
export const peopleColumns = [
  ...["email", "name", "organization_role", "workspace_id", "workspace_role"],
  ...["joined_at", "last_active_at", "access_ends_on"],
];

/** The columns of a file of workspaces. */
export const workspaceColumns = Object.keys(workspaceFields);

/** Of one column each, in the order of the columns. */
export type SheetRow = readonly (string | number | null)[];

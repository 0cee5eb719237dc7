import { translated } from "../../language/translate.js";
import { assetFieldLabels } from "./asset-labels.js";

/** What a field is called above its input, in histories and in refusals; first those of assets. */
const otherLabels: Partial<Record<string, string>> = translated({
  deletion_reason: "Reason",
  workspace_name: "Workspace",
  workspace_role: "Workspace role",
  organization_role: "Organization role",
  assigned_to: "Assignee",
  reassign_to_user_id: "New assignee",
  parent_asset: "Part of",
  asset_id: "Asset",
  asset_name: "Asset",
  merged_into: "Duplicate of",
  last_seen_at: "Last seen",
  files: "Photos and files",
  into: "Same as",
  meters: "Meters",
  meter: "Meter",
  meter_readings: "Reading",
  read_at: "Read||when a meter was",
  every_usage: "Repeat by usage",
  due_usage: "Due at",
  photo: "Photo",
  file: "File",
  title: "Title",
  type: "Type",
  priority: "Priority",
  due_date: "Due date",
  estimated_minutes: "Estimated time",
  actual_minutes: "Time spent",
  downtime_minutes: "Downtime",
  requires_downtime: "Takes asset out of use",
  completion_notes: "Completion notes",
  labor_cost: "Labor cost",
  parts_cost: "Parts cost",
  other_cost: "Other cost",
  activity: "Activity",
  failure_cause: "Failure cause",
  completed_at: "Completed||when",
  effective_at: "Time of the change",
  checklist: "Checklist",
  checklist_done: "Checklist",
  recurrence: "Repeats",
  every: "Every",
  unit: "Unit",
  anchor: "Counted from",
  on_weekday: "On weekday",
  ends_on: "Ends on",
  access_ends_on: "Last day with access",
  note: "Note",
  reason: "Reason",
  issuer: "Address (issuer)",
  client_id: "Client ID",
  client_secret: "Client secret",
  domain: "Domain",
  way_back: "Owner with password access",
  email: "Email",
  password: "Password",
  message: "Message",
  address: "Address",
  time_zone: "Time zone",
  inventory_prefix: "Inventory prefix",
  confirm_inventory_number: "Inventory number",
  warranty_expires_from: "Warranty ends from",
  warranty_expires_before: "Warranty ends before",
});

/** "Purchase cost"; a field that has no words of its own is named by its name. */
export function toFieldLabel(field: string): string {
  const known = (assetFieldLabels as typeof otherLabels)[field] ?? otherLabels[field];
  if (known !== undefined) return known;
  if (field.startsWith("meter: ")) return field.slice(7);
  const words = field.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

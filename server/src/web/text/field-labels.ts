import { translated } from "../../language/translate.js";
import { assetFieldLabels } from "./asset-labels.js";

/** What a field is called above its input, in histories and in refusals; first those of assets. */
const otherLabels: Partial<Record<string, string>> = translated({
  deletion_reason: "Reason",
  workspace_name: "Workspace",
  workspace_role: "Role in the workspace",
  organization_role: "Role in the organization",
  assigned_to: "Responsible",
  reassign_to_user_id: "Who takes over",
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
  every_usage: "Every so much use",
  due_usage: "Due at",
  photo: "Photo",
  file: "File",
  title: "Title",
  type: "Type",
  priority: "Priority",
  due_date: "Due",
  estimated_minutes: "Estimated time",
  actual_minutes: "Time spent",
  downtime_minutes: "Downtime",
  requires_downtime: "Needs the asset out of use",
  completion_notes: "What was found and done",
  labor_cost: "Labour cost",
  parts_cost: "Parts cost",
  other_cost: "Other cost",
  activity: "Activity",
  failure_cause: "Cause of failure",
  completed_at: "Completed||when",
  effective_at: "When it happened",
  checklist: "Checklist",
  checklist_done: "Checklist",
  recurrence: "Repeats",
  every: "Every",
  unit: "Unit",
  anchor: "Counted from",
  on_weekday: "Falls on",
  ends_on: "Last due",
  access_ends_on: "Last day with access",
  note: "Note",
  reason: "Reason",
  issuer: "Address (issuer)",
  client_id: "Client id",
  client_secret: "Client secret",
  domain: "Domain",
  way_back: "Who keeps another way in",
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

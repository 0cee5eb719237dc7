import { assetFieldLabels } from "./asset-fields.js";

/** What a field is called above its input, in histories and in refusals. */
const fieldLabels: Partial<Record<string, string>> = {
  ...assetFieldLabels,
  deletion_reason: "Reason",
  workspace_name: "Workspace",
  workspace_role: "Role in the workspace",
  organization_role: "Role in the organization",
  assigned_to: "Responsible",
  reassign_to_user_id: "Who takes over",
  parent_asset: "Part of",
  last_seen_at: "Last seen",
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
  completed_at: "Completed",
  effective_at: "When it happened",
  checklist: "Checklist",
  checklist_done: "Checklist",
  recurrence: "Repeats",
  every: "Every",
  unit: "Unit",
  anchor: "Counted from",
  ends_on: "Last due",
  note: "Note",
  reason: "Reason",
  email: "Email",
  password: "Password",
  message: "Message",
  address: "Address",
  time_zone: "Time zone",
  inventory_prefix: "Inventory prefix",
  confirm_inventory_number: "Inventory number",
  warranty_expires_from: "Warranty ends from",
  warranty_expires_before: "Warranty ends before",
};

/** "Purchase cost"; a field that has no words of its own is named by its name. */
export function toFieldLabel(field: string): string {
  const known = fieldLabels[field];
  if (known !== undefined) return known;
  const words = field.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A refusal of the domain in the words of the pages: without the kind of refusal in front, and with
 * what fields are called here in place of the names that tools use, without the advice to use a
 * tool, and without the id behind a name. Quoted texts stay as they are.
 */
export function toPageWords(message: string): string {
  const sentence = message.replace(
    /^(Validation failed|Not possible|Conflict|Not authorized): /,
    "",
  );
  const worded = sentence
    .split(/("[^"]*")/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/ Use [a-z]+(?:_[a-z]+)+ to [^.]*\./g, "")
            .replace(/, [a-z]{3}_[0-9a-z]{12}(?=\))/g, "")
            .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) =>
              name in fieldLabels ? `“${toFieldLabel(name)}”` : name.replaceAll("_", " "),
            ),
    )
    .join("");
  // An address is written as it is, also where it comes first.
  return /^\S+@/.test(worded) ? worded : worded.charAt(0).toUpperCase() + worded.slice(1);
}

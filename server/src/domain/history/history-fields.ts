import { AppError } from "../../errors.js";
import type { PlainFields } from "../assets/asset-fields.js";
import { quote } from "../values/quote.js";
import type { TaskFields } from "../tasks/task-fields.js";

/** What a history names beside the id that it belongs to; the id is the second choice of a search. */
const links = [
  "workspace_name",
  "workspace_id",
  "assigned_to",
  "assigned_to_user_id",
  "parent_asset",
  "parent_asset_id",
] as const;

// The compiler holds these complete: a field that is missing or gone is an error.
const ofAssets: Record<keyof PlainFields, true> = {
  name: true,
  description: true,
  manufacturer: true,
  model: true,
  serial_number: true,
  location: true,
  criticality: true,
  condition: true,
  supplier: true,
  purchase_date: true,
  purchase_cost: true,
  currency: true,
  warranty_expires_on: true,
  in_service_date: true,
  end_of_life_on: true,
  tags: true,
};
const ofTasks: Record<Exclude<keyof TaskFields, keyof PlainFields>, true> = {
  title: true,
  type: true,
  priority: true,
  due_date: true,
  estimated_minutes: true,
  requires_downtime: true,
  completion_notes: true,
  actual_minutes: true,
  downtime_minutes: true,
  labor_cost: true,
  parts_cost: true,
  other_cost: true,
  activity: true,
  failure_cause: true,
};

/** Every field whose changes a history tells, in the order in which similar ones are preferred. */
const historyFields: readonly string[] = [
  "state",
  "deletion_reason",
  "inventory_number",
  "category",
  ...links,
  ...Object.keys(ofAssets),
  ...Object.keys(ofTasks),
  "completed_at",
  "checklist_done",
  "recurrence",
  "last_seen_at",
];

/** Refuses a field that no history can tell about, and names the one that was probably meant. */
export function checkHistoryField(field: string | undefined): void {
  if (field === undefined || historyFields.includes(field)) return;
  const nearest = findLike(field);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw new AppError(
    "validation_failed",
    `Validation failed: field ${quote(field)} is not one that histories tell about.${hint} Allowed: ${historyFields.join(", ")}.`,
    { field: "field" },
  );
}

/** Fewer letters than this say nothing. */
const minStem = 3;

/** The first field that has the word in it, or as much as possible of the word's beginning. */
function findLike(text: string): string | undefined {
  const word = text.toLowerCase().replace(/[\s-]+/g, "_");
  for (let end = word.length; end >= minStem; end -= 1) {
    const found = historyFields.find((field) => field.includes(word.slice(0, end)));
    if (found !== undefined) return found;
  }
  return undefined;
}

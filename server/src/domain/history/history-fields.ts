import { assetFields } from "../../db/entities/assets.js";
import { plainFields } from "../../db/fields.js";
import { taskFields } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";

/** What a history names beside the id that it belongs to; the id is the second choice of a search. */
const links = [
  "workspace_name",
  "workspace_id",
  "assigned_to",
  "assigned_to_user_id",
  "parent_asset",
  "parent_asset_id",
  "asset_name",
  "asset_id",
  "merged_into",
  "merged_into_asset_id",
] as const;

/** Every field whose changes a history tells, in the order in which similar ones are preferred. */
const historyFields: readonly string[] = [
  "state",
  "deletion_reason",
  "inventory_number",
  "category",
  ...links,
  // What both have comes once.
  ...plainFields({ ...assetFields, ...taskFields }).map(([name]) => name),
  "completed_at",
  "checklist_done",
  "recurrence",
  "last_seen_at",
  "files",
  "meters",
  "due_usage",
];

/** Refuses a field that no history can tell about, and names the one that was probably meant. */
export function checkHistoryField(field: string | undefined): void {
  if (field === undefined || historyFields.includes(field)) return;
  if (field.startsWith("meter: ")) return;
  throw new AppError("validation_failed", "unknown_history_field", {
    field: "field",
    value: field,
    meant: findLike(field),
    allowed: historyFields,
  });
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

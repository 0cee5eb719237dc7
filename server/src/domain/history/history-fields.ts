import { assetFields } from "../../db/entities/assets.js";
import { plainFields } from "../../db/fields.js";
import { taskFields } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";

/** Names that a history stores next to an id. A search prefers them to the id. */
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
  "procedure",
  "procedure_id",
] as const;

/** Every field whose changes appear in a history. Of similar names, earlier ones are preferred. */
const historyFields: readonly string[] = [
  "state",
  "deletion_reason",
  "inventory_number",
  "category",
  ...links,
  // Fields that assets and tasks share appear once.
  ...plainFields({ ...assetFields, ...taskFields }).map(([name]) => name),
  "completed_at",
  "checklist",
  "checklist_done",
  "recurrence",
  "last_seen_at",
  "files",
  "comment",
  "meters",
  "due_usage",
  "contractor_link",
  "contractor_done",
];

/** Throws for a field that no history contains, and suggests the likely one. */
export function checkHistoryField(field: string | undefined): void {
  if (field === undefined || historyFields.includes(field)) return;
  if (field.startsWith("meter: ") || field.startsWith("step: ")) return;
  throw new AppError("validation_failed", "unknown_history_field", {
    field: "field",
    value: field,
    meant: findLike(field),
    allowed: historyFields,
  });
}

/** Shorter stems say nothing. */
const minStem = 3;

/** Returns the first field that contains the word, or as much of its start as possible. */
function findLike(text: string): string | undefined {
  const word = text.toLowerCase().replace(/[\s-]+/g, "_");
  for (let end = word.length; end >= minStem; end -= 1) {
    const found = historyFields.find((field) => field.includes(word.slice(0, end)));
    if (found !== undefined) return found;
  }
  return undefined;
}

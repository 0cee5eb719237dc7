import { AppError } from "../../errors.js";
import { quote } from "../values/quote.js";

/** Words for nothing. None of them is a user id or an email, and no workspace has such a name. */
const nonePlaceholders = {
  assigned_to_user_id: ["none", "unassigned", "nobody"],
  workspace_id: ["none"],
} as const;

type Field = keyof typeof nonePlaceholders;

/**
 * Refuses "none", a choice of filters, where a change names something; `instead` says for each field
 * what to do for nothing.
 */
export function rejectNonePlaceholder(
  given: { [Name in Field]?: string | undefined },
  instead: { [Name in Field]?: string },
): void {
  for (const [field, advice] of Object.entries(instead) as [Field, string][]) {
    const value = given[field];
    const words: readonly string[] = nonePlaceholders[field];
    if (value === undefined || !words.includes(value.toLowerCase())) continue;
    const kind = field === "workspace_id" ? "workspace" : "person";
    throw new AppError(
      "validation_failed",
      `Validation failed: ${field} ${quote(value)} is no ${kind}. ${advice}`,
      { field },
    );
  }
}

/** What to do instead in an update whose `clear_fields` knows the field. */
export function clearInstead(field: Field): string {
  return `To make it empty, use clear_fields ["${field}"].`;
}

/** What to do instead in a creation. */
export function leaveOutInstead(field: Field): string {
  return `For none, leave ${field} out.`;
}

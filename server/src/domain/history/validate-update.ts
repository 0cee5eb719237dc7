import { AppError } from "../../errors.js";

/**
 * Throws for an update without changes, and for a field that is both set and cleared. Returns the
 * fields to clear.
 */
export function validateUpdate<Field extends string>(
  update: object & { clear_fields?: readonly Field[] | undefined },
  choices = "clear_fields or note",
): Set<Field> {
  // The version isn't a change.
  const given = Object.entries(update)
    .filter(([name, value]) => value !== undefined && name !== "expected_version")
    .map(([name]) => name);
  if (given.length === 0) {
    throw new AppError("validation_failed", "nothing_to_change", { choices });
  }
  const cleared = new Set(update.clear_fields);
  const both = [...cleared].find((field) => given.includes(field));
  if (both !== undefined) {
    throw new AppError("validation_failed", "set_and_cleared", { field: both });
  }
  return cleared;
}

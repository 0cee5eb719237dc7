import { AppError } from "../../errors.js";
import { idKindOf } from "./ids.js";
import type { NoneInstead } from "./refusals.js";

/** Placeholders for nothing. None is a user id or an email, and no workspace has such a name. */
const nonePlaceholders = {
  assigned_to_user_id: ["none", "unassigned", "nobody"],
  workspace_id: ["none"],
};

type Field = keyof typeof nonePlaceholders;

/** Rejects names that tools would read as an id or as "none". */
export function rejectReservedName(name: string): void {
  if (idKindOf(name) === undefined && name.toLowerCase() !== "none") return;
  throw new AppError("validation_failed", "reserved_name", { field: "name", name });
}

/** Rejects "none", which only filters accept, in changes that name something. */
export function rejectNonePlaceholder(
  given: { [Name in Field]?: string | undefined },
  instead: NoneInstead,
): void {
  for (const [field, words] of Object.entries(nonePlaceholders)) {
    const value = given[field as Field];
    if (value === undefined || !words.includes(value.toLowerCase())) continue;
    throw new AppError("validation_failed", "none_placeholder", { field, value, instead });
  }
}

import { AppError } from "../../errors.js";
import type { ReferenceKind } from "./refusals.js";
import { idKindOf } from "./ids.js";

/**
 * Rejects an id of another kind. Otherwise a workspace id in `asset_id` would only be "not found".
 */
export function rejectWrongKindOfId(reference: string, kind: ReferenceKind, field: string): void {
  const given = idKindOf(reference);
  if (given === undefined || given === kind) return;
  throw new AppError("validation_failed", "wrong_kind_of_id", { field, reference, given, kind });
}

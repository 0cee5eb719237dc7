import { AppError } from "../../errors.js";
import { idKindOf, idPrefixes, type IdKind } from "../values/ids.js";
import { quote } from "../values/quote.js";

/**
 * Refuses an id of another kind where one kind of thing is asked for: a workspace id in `asset_id`
 * would otherwise only be "not found".
 */
export function rejectOtherIds(
  text: string,
  kind: IdKind,
  { field, orElse }: { field: string; orElse?: string },
): void {
  const given = idKindOf(text);
  if (given === undefined || given === kind) return;
  const article = /^[aeiou]/.test(given) ? "an" : "a";
  throw new AppError(
    "validation_failed",
    `Validation failed: ${quote(text)} is ${article} ${given} id; ${field} needs an id starting with ${idPrefixes[kind]}${orElse === undefined ? "" : ` or ${orElse}`}.`,
    { field },
  );
}

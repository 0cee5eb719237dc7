import { cleanText } from "../../domain/shared/text.js";
import { toFormErrors } from "../forms/form-errors.js";
import type { FormError } from "../layout/error-summary.js";

/** The text of a filter. Omitted with an error if it is invalid. */
export function readFilterText(
  value: string | undefined,
  rule: { field: string; label: string; max: number },
  errors: FormError[],
): string | undefined {
  if (value === undefined) return undefined;
  try {
    return cleanText(value, rule);
  } catch (error) {
    errors.push(...toFormErrors(error));
    return undefined;
  }
}

/** Accepts the filter `responsible` of old links and bookmarks. It is now named `assignee`. */
export function renameFilter(query: unknown): unknown {
  const isOld = typeof query === "object" && query !== null && "responsible" in query;
  return isOld ? { assignee: query.responsible, ...query } : query;
}

export type Values = Partial<Record<string, string>>;

/** The query of a list with these filters, without its cursor and default filters. */
export function toListQuery(values: Values, usual: Values): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value = ""] of Object.entries(values)) {
    if (value.trim() !== "" && name !== "cursor" && value !== usual[name]) query.set(name, value);
  }
  return query;
}

/** Like `toListQuery`, with the cursor. */
export function toPageQuery(values: Values, usual: Values = {}): URLSearchParams {
  const query = toListQuery(values, usual);
  const { cursor = "" } = values;
  if (cursor !== "") query.set("cursor", cursor);
  return query;
}

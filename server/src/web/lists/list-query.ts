import { cleanText } from "../../domain/shared/text.js";
import { toFormErrors } from "../forms/form-errors.js";
import type { FormError } from "../layout/error-summary.js";

/** A text that a list is narrowed down by; left out, with an error, when nobody can understand it. */
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

export type Values = Partial<Record<string, string>>;

/** The address of a list with these filters, without its cursor and what goes without saying. */
export function toListQuery(values: Values, usual: Values): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value = ""] of Object.entries(values)) {
    if (value.trim() !== "" && name !== "cursor" && value !== usual[name]) query.set(name, value);
  }
  return query;
}

/** The same with its cursor. */
export function toPageQuery(values: Values, usual: Values = {}): URLSearchParams {
  const query = toListQuery(values, usual);
  const { cursor = "" } = values;
  if (cursor !== "") query.set("cursor", cursor);
  return query;
}

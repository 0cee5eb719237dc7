import { readFields } from "../forms/form-fields.js";

export const rowsOnPage = 25;

/** The named parameters of a query, truncated to a usual length of searches. */
export function readQuery<Name extends string>(
  query: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const fields = readFields(query, names);
  const cut = Object.entries<string>(fields).map(([name, text]) => [
    name,
    name === "cursor" ? text : text.trim().slice(0, 200),
  ]);
  return Object.fromEntries(cut) as Record<Name, string>;
}

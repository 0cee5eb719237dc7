import { readFields } from "../forms/form-fields.js";

/** How many rows a list has on one page. */
export const rowsOnPage = 25;

/** The named texts of a query, cut to what anybody searches for. */
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

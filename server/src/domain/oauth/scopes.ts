import { allScopes, type Scope } from "fettle-shared";

/** Returns the known scopes of a list, without duplicates, in standard order. */
export function toScopes(list: string | readonly string[] | null | undefined): Scope[] {
  const named = new Set(typeof list === "string" ? list.split(" ") : list);
  return allScopes.filter((scope) => named.has(scope));
}

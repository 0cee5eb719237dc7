import { allScopes, type Scope } from "fettle-shared";

/** The known scopes of a list, each once, in the order of every document; the rest is dropped. */
export function toScopes(list: string | readonly string[] | null | undefined): Scope[] {
  const named = new Set(typeof list === "string" ? list.split(" ") : list);
  return allScopes.filter((scope) => named.has(scope));
}

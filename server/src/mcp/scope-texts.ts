import type { Scope } from "fettle-shared";

export function howToGetScopes(granted: readonly Scope[], missing: readonly Scope[]): string {
  return `This connection has ${joinScopes(granted)}. The person can disconnect the app under Settings > Connected Apps, connect it again and select ${joinScopes(missing)} on the consent page.`;
}

const retireHint = ' To retire the asset instead, use update_asset_state with state "deleted".';

/** The two text blocks of a refusal. The first contains exactly this sentence. */
export function scopeRefusal(granted: readonly Scope[], needed: Scope): [string, string] {
  const alternative = needed === "mcp_destructive" ? retireHint : "";
  return [
    `Insufficient scope. Required: ${needed}.`,
    howToGetScopes(granted, [needed]) + alternative,
  ];
}

function joinScopes(scopes: readonly Scope[]): string {
  if (scopes.length < 2) return scopes[0] ?? "no scope";
  return `${scopes.slice(0, -1).join(", ")} and ${scopes.at(-1) ?? ""}`;
}

/** The three scopes of the specification, in the order every document lists them. */
export const allScopes = ["mcp_read", "mcp_write", "mcp_destructive"] as const;

export type Scope = (typeof allScopes)[number];

export function isScope(value: string): value is Scope {
  return (allScopes as readonly string[]).includes(value);
}

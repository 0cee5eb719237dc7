/** Paths of the discovery documents for clients (RFC 8414 §3, RFC 9728 §3). */
export const mcpPath = "/mcp";
export const authorizationServerMetadataPath = "/.well-known/oauth-authorization-server";
export const protectedResourceMetadataPath = "/.well-known/oauth-protected-resource";

/** The public client that every Fettle server knows without registration. */
export const bridgeClientId = "fettle-bridge";

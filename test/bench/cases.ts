/** The measured MCP calls, as clients of revision 2025-11-25 send them. */
export const caseNames = [
  "tools/list",
  "list_assets",
  "get_asset",
  "search_asset_history",
  "get_organization_stats",
  "create_asset",
] as const;

export type CaseName = (typeof caseNames)[number];

export interface Call {
  headers: Record<string, string>;
  body: string;
}

/** Requests rotate, so they don't all read the same row. */
export function callsOf(name: CaseName, token: string, assetIds: readonly string[]): Call[] {
  return paramsOf(name, assetIds).map((params) =>
    name === "tools/list" ? toMessage(token, name, params) : toCall(token, params),
  );
}

export function toCall(token: string, params: object): Call {
  return toMessage(token, "tools/call", params);
}

function toMessage(token: string, method: string, params: object): Call {
  return {
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

function paramsOf(name: CaseName, assetIds: readonly string[]): object[] {
  switch (name) {
    case "tools/list":
      return [{}];
    case "list_assets":
      return [{ name, arguments: { limit: 25 } }];
    case "get_asset":
      return assetIds.map((asset_id) => ({ name, arguments: { asset_id } }));
    case "search_asset_history":
      return ["hall", "location", "person"].map((query) => ({
        name,
        arguments: { query, limit: 25 },
      }));
    case "get_organization_stats":
      return [{ name, arguments: { period_days: 365 } }];
    case "create_asset":
      return [{ name, arguments: { name: "Circulation pump" } }];
  }
}

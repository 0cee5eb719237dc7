/** The MCP calls that are measured, as clients of revision 2025-11-25 send them. */
export const caseNames = ["tools/list", "list_assets", "get_asset"] as const;

export type CaseName = (typeof caseNames)[number];

export interface Call {
  headers: Record<string, string>;
  body: string;
}

/** Requests are used in turn, so that not every one reads the same row. */
export function callsOf(name: CaseName, token: string, assetIds: readonly string[]): Call[] {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2025-11-25",
  };
  return paramsOf(name, assetIds).map((params) => ({
    headers,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: name === "tools/list" ? "tools/list" : "tools/call",
      params,
    }),
  }));
}

function paramsOf(name: CaseName, assetIds: readonly string[]): object[] {
  switch (name) {
    case "tools/list":
      return [{}];
    case "list_assets":
      return [{ name, arguments: { limit: 25 } }];
    case "get_asset":
      return assetIds.map((asset_id) => ({ name, arguments: { asset_id } }));
  }
}

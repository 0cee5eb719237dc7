import { mcpPath } from "fettle-shared";

/** The MCP address a person meant: a bare origin gets `/mcp`. Undefined when it is no web address. */
export function toMcpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.pathname === "/") url.pathname = mcpPath;
  return url.href;
}

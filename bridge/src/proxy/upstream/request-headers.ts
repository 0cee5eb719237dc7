import { toRecord } from "../../common/json.js";
import { type Message } from "../requests/message.js";
import { toHeaderValue } from "./parameter-headers.js";
import type { ToolCatalog } from "./tool-catalog.js";

const namedBy = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** What revision 2026-07-28 wants repeated in the headers of a message that carries its version. */
export function toModernHeaders(
  { method, params }: Message,
  version: string,
  tools: ToolCatalog,
): Record<string, string> {
  const headers: Record<string, string> = { "mcp-protocol-version": toHeaderValue(version) };
  if (typeof method !== "string") return headers;
  headers["mcp-method"] = toHeaderValue(method);
  const given = toRecord(params);
  const name = given[namedBy.get(method) ?? ""];
  if (typeof name !== "string") return headers;
  headers["mcp-name"] = toHeaderValue(name);
  return method === "tools/call"
    ? { ...headers, ...tools.headersFor(name, given["arguments"]) }
    : headers;
}

import { toRecord, toText } from "../../common/json.js";

export type RpcId = string | number;

/** A JSON-RPC message as it came: everything but its shape is left to the two ends. */
export interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** The text of a message, free of line breaks. */
export type RawMessage = string | Buffer;

export function isId(value: unknown): value is RpcId {
  return typeof value === "string" || typeof value === "number";
}

/** The protocol version a message carries itself, as every one does from 2026-07-28 on. */
export function modernVersionOf(message: Message): string | undefined {
  const meta = toRecord(toRecord(message.params)["_meta"]);
  const version = meta["io.modelcontextprotocol/protocolVersion"];
  return typeof version === "string" ? version : undefined;
}

export function toResultText(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** What lists there are of; each can change. */
export const listKinds = ["tools", "prompts", "resources"];

/** The tool of a `tools/call`. */
export function toolOf(params: unknown): string {
  return toText(toRecord(params)["name"]);
}

/** The notifications that make a host ask again for every list that these capabilities speak of. */
export function toListsChanged(capabilities: unknown): string[] {
  const announced = toRecord(capabilities);
  return listKinds.filter((kind) => announced[kind] !== undefined).map(toListChanged);
}

export function toListChanged(kind: string): string {
  return JSON.stringify({ jsonrpc: "2.0", method: `notifications/${kind}/list_changed` });
}

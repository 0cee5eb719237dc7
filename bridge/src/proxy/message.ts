export type RpcId = string | number;

/** A JSON-RPC message as it came: everything but its shape is left to the two ends. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** The text of a message, free of line breaks. */
export type Raw = string | Buffer;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is RpcId {
  return typeof value === "string" || typeof value === "number";
}

export function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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

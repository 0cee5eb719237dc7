import { randomUUID } from "node:crypto";
import { toRecord, toText } from "../common/json.js";

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
function modernVersionOf(message: Message): string | undefined {
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

/** One request that somebody waits for. */
export interface Call {
  id: RpcId;
  method: string;
  params: unknown;
  exchange: Exchange;
  /** "fallback": the host has an answer already, and the server's own is still awaited. */
  state: "open" | "fallback" | "closed";
  /** Takes the one answer, of the server or ours. */
  onResponse: ResponseHandler;
}

export type ResponseHandler = (raw: RawMessage, message: Message, call: Call) => void;

/** One message of the host on its way to the server: a request, a batch, or what has no answer. */
export interface Exchange {
  body: RawMessage;
  /** Empty for a batch. */
  message: Message;
  /** Empty for notifications and for answers to the server. */
  calls: Call[];
  /** The protocol version of a message that carries one. */
  modern: string | undefined;
  /** The same in all that is sent for it, and in what a person reads when it fails. */
  requestId: string;
  arrivedAt: number;
  /** Until when it waits and is sent again; Infinity for what nobody waits for. */
  deadline: number;
  abort: AbortController;
  /** The server may be at work on it. */
  inFlight: boolean;
  /** At its last try; what opens the session may have failed before. */
  wasSent: boolean;
  /** Failed tries, since a stream of it last was steady. */
  tries: number;
  serverErrors: number;
  /** Nobody was signed in at its last try. */
  isSignedOut: boolean;
  renewals: number;
  /** The person was asked for the keychain's password on account of it. */
  hasAskedToUnlock: boolean;
  /** The session it was last sent in. */
  session: string | undefined;
  hasLostSession: boolean;
}

export function createExchange(body: RawMessage, message: Message, timeoutMs: number): Exchange {
  const now = performance.now();
  return {
    body,
    message,
    calls: [],
    modern: modernVersionOf(message),
    requestId: randomUUID(),
    arrivedAt: now,
    deadline: now + timeoutMs,
    abort: new AbortController(),
    inFlight: false,
    wasSent: false,
    tries: 0,
    serverErrors: 0,
    isSignedOut: false,
    renewals: 0,
    hasAskedToUnlock: false,
    session: undefined,
    hasLostSession: false,
  };
}

export function addCall(
  exchange: Exchange,
  message: Message & { id: RpcId },
  onResponse: ResponseHandler,
): Call {
  const { id, method, params } = message;
  const call: Call = { id, method: String(method), params, exchange, state: "open", onResponse };
  exchange.calls.push(call);
  return call;
}

export function isFinished(exchange: Exchange): boolean {
  if (exchange.abort.signal.aborted) return true;
  return exchange.calls.length > 0 && exchange.calls.every(({ state }) => state === "closed");
}

/** The host's `initialize`, which the session sends whenever it opens. */
export function isInitialize({ calls, modern }: Exchange): boolean {
  return modern === undefined && calls.length === 1 && calls[0]?.method === "initialize";
}

/** Nobody waits for it any more, or it has no end of its own. */
export function isBackground(exchange: Exchange): boolean {
  return exchange.deadline === Infinity;
}

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

export type Request = Message & { id: RpcId };

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
export class Exchange {
  readonly body: RawMessage;
  /** Empty for a batch. */
  readonly message: Message;
  /** Empty for notifications and for answers to the server. */
  readonly calls: Call[] = [];
  /** The protocol version of a message that carries one. */
  readonly modern: string | undefined;
  /** The same in all that is sent for it, and in what a person reads when it fails. */
  readonly requestId = randomUUID();
  readonly arrivedAt = performance.now();
  /** Until when it waits and is sent again; Infinity for what nobody waits for. */
  deadline: number;
  abort = new AbortController();
  /** The server may be at work on it. */
  inFlight = false;
  /** At its last try; what opens the session may have failed before. */
  wasSent = false;
  /** Failed tries, since a stream of it last was steady. */
  tries = 0;
  serverErrors = 0;
  /** Nobody was signed in at its last try. */
  isSignedOut = false;
  renewals = 0;
  hasSteppedUp = false;
  /** The person was asked for the keychain's password on account of it. */
  hasAskedToUnlock = false;
  /** The session it was last sent in. */
  session: string | undefined;
  hasLostSession = false;

  constructor(body: RawMessage, message: Message, timeoutMs: number) {
    this.body = body;
    this.message = message;
    this.modern = modernVersionOf(message);
    this.deadline = this.arrivedAt + timeoutMs;
  }

  addCall({ id, method, params }: Request, onResponse: ResponseHandler): Call {
    const own = { id, method: String(method), params };
    const call: Call = { ...own, exchange: this, state: "open", onResponse };
    this.calls.push(call);
    return call;
  }

  isFinished(): boolean {
    if (this.abort.signal.aborted) return true;
    return this.calls.length > 0 && this.calls.every(({ state }) => state === "closed");
  }

  /** The host's `initialize`, which the session sends whenever it opens. */
  isInitialize(): boolean {
    return this.modern === undefined && this.isOnly("initialize");
  }

  /** The one request of this method, and no batch. */
  isOnly(method: string): boolean {
    return this.calls.length === 1 && this.calls[0]?.method === method;
  }

  /** Nobody waits for it any more, or it has no end of its own. */
  isBackground(): boolean {
    return this.deadline === Infinity;
  }
}

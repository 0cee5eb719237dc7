import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, toRecord, toText } from "../common/json.js";
import type { Failure } from "./failures.js";

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

export function toResultText(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export function toErrorText(
  id: RpcId | null,
  error: { code: number; message: string; data?: object },
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

/** What lists there are of; each can change. */
export const listKinds = ["tools", "prompts", "resources"];

export function toolOf(params: unknown): string {
  return toText(toRecord(params)["name"]);
}

export function toListChanged(kind: string): string {
  return JSON.stringify({ jsonrpc: "2.0", method: `notifications/${kind}/list_changed` });
}

export interface Call {
  id: RpcId;
  method: string;
  params: unknown;
  exchange: Exchange;
  /** "fallback": the host has an answer already, and the server's own is still awaited. */
  state: "open" | "fallback" | "closed";
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
  /** The protocol version that the message carries itself, as every one does from 2026-07-28 on. */
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
  isSignedOut = false;
  renewals = 0;
  hasSteppedUp = false;
  /** The person was asked for the keychain's password on account of it. */
  hasAskedToUnlock = false;
  session: string | undefined;
  hasLostSession = false;

  constructor(body: RawMessage, message: Message, timeoutMs: number) {
    this.body = body;
    this.message = message;
    const meta = toRecord(toRecord(message.params)["_meta"]);
    const version = meta["io.modelcontextprotocol/protocolVersion"];
    this.modern = typeof version === "string" ? version : undefined;
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
    const [call, ...others] = this.calls;
    return this.modern === undefined && call?.method === "initialize" && others.length === 0;
  }

  /** Nobody waits for it any more, or it has no end of its own. */
  isBackground(): boolean {
    return this.deadline === Infinity;
  }
}

const idleCheckMs = 10;

/** All that is on its way, and its answers: each call gets one at most, whatever the server sends. */
export class OpenExchanges {
  readonly #output: { write: (frame: RawMessage) => boolean };
  readonly #exchanges = new Set<Exchange>();
  readonly #calls = new Map<RpcId, Call>();

  constructor(output: { write: (frame: RawMessage) => boolean }) {
    this.#output = output;
  }

  /** False when the host waits for another answer under an id of the exchange. */
  start(exchange: Exchange): boolean {
    const ids = new Set(exchange.calls.map(({ id }) => id));
    if (ids.size < exchange.calls.length || [...ids].some((id) => this.#calls.has(id)))
      return false;
    for (const call of exchange.calls) this.#calls.set(call.id, call);
    this.#exchanges.add(exchange);
    return true;
  }

  end(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
  }

  all(): Iterable<Exchange> {
    return this.#exchanges;
  }

  async whenIdle(): Promise<void> {
    while ([...this.#exchanges].some(isAwaited)) await sleep(idleCheckMs);
  }

  find(id: unknown): Call | undefined {
    return isId(id) ? this.#calls.get(id) : undefined;
  }

  readonly toHost: ResponseHandler = (raw) => {
    this.#output.write(raw);
  };

  answer(call: Call, raw: RawMessage, message: Message): void {
    if (call.state === "closed") return;
    call.onResponse(raw, message, call);
    this.#leave(call, "closed");
  }

  answerWithFallback(call: Call, text: string): void {
    this.#output.write(text);
    this.#leave(call, "fallback");
  }

  fail(exchange: Exchange, { code, message, timedOut }: Failure): void {
    for (const call of exchange.calls) {
      if (call.state === "fallback") this.drop(call);
      // The request's id is also in the server's log, as its X-Request-Id.
      const data = { code, request: exchange.requestId };
      const error = { code: timedOut === true ? -32001 : -32000, message, data };
      this.answer(call, toErrorText(call.id, error), { error });
    }
  }

  drop(call: Call): void {
    this.#leave(call, "closed");
  }

  /** Answers go to calls of the exchange or of any other, the rest to the host. False when the host reads slowly. */
  readonly dispatch = (message: unknown, raw: RawMessage, exchange?: Exchange): boolean => {
    if (!Array.isArray(message)) return this.#dispatchOne(message, raw, exchange);
    return message
      .map((one: unknown) => this.#dispatchOne(one, JSON.stringify(one), exchange))
      .every(Boolean);
  };

  #dispatchOne(message: unknown, raw: RawMessage, exchange: Exchange | undefined): boolean {
    if (!isRecord(message)) return true;
    if (typeof message["method"] === "string") return this.#output.write(raw);
    const { id, method } = message;
    if (!isId(id) || method !== undefined) return true;
    const call = exchange?.calls.find((own) => own.id === id) ?? this.#calls.get(id);
    if (call !== undefined) this.answer(call, raw, message);
    return true;
  }

  #leave(call: Call, state: "fallback" | "closed"): void {
    call.state = state;
    if (this.#calls.get(call.id) === call) this.#calls.delete(call.id);
  }
}

function isAwaited(exchange: Exchange): boolean {
  if (exchange.isBackground() || exchange.abort.signal.aborted) return false;
  return exchange.calls.length === 0 || exchange.calls.some(({ state }) => state === "open");
}

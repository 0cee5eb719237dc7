import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, toRecord, toText } from "../common/json.js";
import type { Failure } from "./failures.js";

export type RpcId = string | number;

/** A JSON-RPC message as received. Only its shape is checked. */
export interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

export type Request = Message & { id: RpcId };

/** The text of a message, without line breaks. */
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
  /** "fallback": the host already has a response, and the server's own is still pending. */
  state: "open" | "fallback" | "closed";
  onResponse: ResponseHandler;
}

export type ResponseHandler = (raw: RawMessage, message: Message, call: Call) => void;

export class Exchange {
  readonly body: RawMessage;
  /** Empty for a batch. */
  readonly message: Message;
  /** Empty for notifications and responses to the server. */
  readonly calls: Call[] = [];
  /** The message's own protocol version. All messages have one from 2026-07-28 on. */
  readonly modern: string | undefined;
  /** Shared by all attempts, and included in error messages. */
  readonly requestId = randomUUID();
  readonly arrivedAt = performance.now();
  /** Retries end at this time. Infinity for background requests. */
  deadline: number;
  abort = new AbortController();
  inFlight = false;
  /** In the last attempt. Opening the session may fail before that. */
  wasSent = false;
  /** Failed attempts since its last stable stream. */
  tries = 0;
  serverErrors = 0;
  isSignedOut = false;
  renewals = 0;
  hasSteppedUp = false;
  /** The person was asked for the keychain's password for this exchange. */
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

  /** The host's `initialize`. The session sends it each time it opens. */
  isInitialize(): boolean {
    const [call, ...others] = this.calls;
    return this.modern === undefined && call?.method === "initialize" && others.length === 0;
  }

  /** True if no one waits for it, or it never ends. */
  isBackground(): boolean {
    return this.deadline === Infinity;
  }
}

const idleCheckMs = 10;

/**
 * All pending exchanges and their responses. Each call gets at most one response, whatever the
 * server sends.
 */
export class OpenExchanges {
  readonly #output: { write: (frame: RawMessage) => boolean };
  readonly #exchanges = new Set<Exchange>();
  readonly #calls = new Map<RpcId, Call>();

  constructor(output: { write: (frame: RawMessage) => boolean }) {
    this.#output = output;
  }

  /** Returns false if an id of the exchange is already in use by a pending call. */
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
      // The server also logs the request's id, as its X-Request-Id.
      const data = { code, request: exchange.requestId };
      const error = { code: timedOut === true ? -32001 : -32000, message, data };
      this.answer(call, toErrorText(call.id, error), { error });
    }
  }

  drop(call: Call): void {
    this.#leave(call, "closed");
  }

  /**
   * Responses go to calls of this or another exchange, the rest to the host. Returns false if the
   * host reads slowly.
   */
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

import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../common/json.js";
import {
  type Call,
  type Exchange,
  isId,
  type Message,
  type RawMessage,
  type ResponseHandler,
  type RpcId,
} from "./exchange.js";
import { type Failure, toErrorMessage } from "./failures.js";

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

  /** Resolves when the host waits for nothing more. */
  async whenIdle(): Promise<void> {
    while ([...this.#exchanges].some(isAwaited)) await sleep(idleCheckMs);
  }

  /** A call the host waits for. */
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

  /** Gives the host an answer now, and waits on for the server's. */
  answerWithFallback(call: Call, text: string): void {
    this.#output.write(text);
    this.#leave(call, "fallback");
  }

  fail(exchange: Exchange, failure: Failure): void {
    for (const call of exchange.calls) {
      if (call.state === "fallback") this.drop(call);
      const message = toErrorMessage(call.id, failure, exchange.requestId);
      this.answer(call, JSON.stringify(message), message);
    }
  }

  drop(call: Call): void {
    this.#leave(call, "closed");
  }

  /**
   * Takes what the server sent: answers go to the calls of the exchange, or of any other, the rest
   * to the host. False when the host reads slowly.
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
    const call = this.#findOpen(message, exchange);
    if (call !== undefined) this.answer(call, raw, message);
    return true;
  }

  #findOpen({ id, method }: Message, exchange: Exchange | undefined): Call | undefined {
    if (!isId(id) || method !== undefined) return undefined;
    const call = exchange?.calls.find((own) => own.id === id) ?? this.#calls.get(id);
    return call?.state === "closed" ? undefined : call;
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

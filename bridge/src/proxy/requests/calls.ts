import { isRecord, toRecord } from "../../common/json.js";
import { type Failure, toErrorText } from "./failures.js";
import type { Call, Exchange, ResponseHandler } from "./exchange.js";
import { isId, type Message, type RawMessage, type RpcId } from "./message.js";

/** Where the answers go. Each call gets one at most, whatever the server sends. */
export interface Calls {
  /** False when the host waits for another answer under the same id. */
  open: (exchange: Exchange) => boolean;
  /** A call the host waits for. */
  find: (id: unknown) => Call | undefined;
  /** The plain way to settle a call of the host. */
  toHost: ResponseHandler;
  answer: (call: Call, raw: RawMessage, message: Message) => void;
  /** Gives the host an answer now, and waits on for the server's. */
  answerWithFallback: (call: Call, text: string) => void;
  fail: (exchange: Exchange, failure: Failure) => void;
  /** Ends a call without an answer. */
  drop: (call: Call) => void;
  /**
   * Takes what the server sent: answers go to the calls of the job, or of any other, the rest to
   * the host. False when the host reads slowly.
   */
  dispatch: (message: unknown, raw: RawMessage, exchange?: Exchange) => boolean;
}

export interface CallsDeps {
  output: { write: (frame: RawMessage) => boolean };
  /** Told after each answer. */
  onAnswered: () => void;
}

export function createCalls({ output, onAnswered }: CallsDeps): Calls {
  const calls = new Map<RpcId, Call>();

  const toHost: ResponseHandler = (raw) => {
    output.write(raw);
  };
  const leave = (call: Call, state: "fallback" | "closed") => {
    call.state = state;
    if (calls.get(call.id) === call) calls.delete(call.id);
    onAnswered();
  };
  const answer = (call: Call, raw: RawMessage, message: Message) => {
    if (call.state === "closed") return;
    call.onResponse(raw, message, call);
    leave(call, "closed");
  };
  const dispatchOne = (
    message: unknown,
    raw: RawMessage,
    exchange: Exchange | undefined,
  ): boolean => {
    if (!isRecord(message)) return true;
    if (typeof message["method"] === "string") return output.write(raw);
    const call = findOpen(message, exchange, calls);
    if (call !== undefined) answer(call, raw, message);
    return true;
  };
  /** A batch of answers stays one where nothing in it is for us. */
  const dispatchBatch = (
    messages: readonly unknown[],
    raw: RawMessage,
    exchange: Exchange | undefined,
  ): boolean => {
    const found = new Set(messages.map((one) => findOpen(toRecord(one), exchange, calls)));
    const areHosts = [...found].every((call) => call?.onResponse === toHost);
    if (!areHosts || found.size < messages.length) {
      return messages.map((one) => dispatchOne(one, JSON.stringify(one), exchange)).every(Boolean);
    }
    for (const call of found) if (call !== undefined) leave(call, "closed");
    return output.write(raw);
  };
  return {
    toHost,
    answer,
    open: (exchange) => {
      const ids = new Set(exchange.calls.map(({ id }) => id));
      if (ids.size < exchange.calls.length || [...ids].some((id) => calls.has(id))) return false;
      for (const call of exchange.calls) calls.set(call.id, call);
      return true;
    },
    find: (id) => (isId(id) ? calls.get(id) : undefined),
    answerWithFallback: (call, text) => {
      output.write(text);
      leave(call, "fallback");
    },
    fail: (exchange, failure) => {
      for (const call of exchange.calls) {
        if (call.state === "fallback") leave(call, "closed");
        const text = toErrorText(call.id, failure, exchange.requestId);
        answer(call, text, toRecord(JSON.parse(text)));
      }
    },
    drop: (call) => {
      leave(call, "closed");
    },
    dispatch: (message, raw, exchange) =>
      Array.isArray(message)
        ? dispatchBatch(message, raw, exchange)
        : dispatchOne(message, raw, exchange),
  };
}

function findOpen(
  { id, method }: Message,
  exchange: Exchange | undefined,
  calls: ReadonlyMap<RpcId, Call>,
): Call | undefined {
  if (!isId(id) || method !== undefined) return undefined;
  const call = exchange?.calls.find((own) => own.id === id) ?? calls.get(id);
  return call?.state === "closed" ? undefined : call;
}

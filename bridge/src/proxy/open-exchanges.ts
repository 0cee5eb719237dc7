import { isRecord, toRecord } from "../common/json.js";
import {
  type Call,
  type Exchange,
  isBackground,
  isId,
  type Message,
  type RawMessage,
  type ResponseHandler,
  type RpcId,
} from "./exchange.js";
import { type Failure, toErrorMessage } from "./failures.js";

/** All that is on its way, and its answers: each call gets one at most, whatever the server sends. */
export interface OpenExchanges {
  /** False when the host waits for another answer under an id of the exchange. */
  start: (exchange: Exchange) => boolean;
  end: (exchange: Exchange) => void;
  all: () => Iterable<Exchange>;
  /** Resolves when the host waits for nothing more. */
  whenIdle: () => Promise<void>;
  /** A call the host waits for. */
  find: (id: unknown) => Call | undefined;
  toHost: ResponseHandler;
  answer: (call: Call, raw: RawMessage, message: Message) => void;
  /** Gives the host an answer now, and waits on for the server's. */
  answerWithFallback: (call: Call, text: string) => void;
  fail: (exchange: Exchange, failure: Failure) => void;
  drop: (call: Call) => void;
  /**
   * Takes what the server sent: answers go to the calls of the exchange, or of any other, the rest
   * to the host. False when the host reads slowly.
   */
  dispatch: (message: unknown, raw: RawMessage, exchange?: Exchange) => boolean;
}

type Write = (frame: RawMessage) => boolean;

export function createOpenExchanges(output: { write: Write }): OpenExchanges {
  const exchanges = new Set<Exchange>();
  const calls = new Map<RpcId, Call>();
  let waiting: (() => void)[] = [];
  const checkIdle = () => {
    if (waiting.length === 0 || [...exchanges].some(isAwaited)) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const leave = (call: Call, state: "fallback" | "closed") => {
    call.state = state;
    if (calls.get(call.id) === call) calls.delete(call.id);
    checkIdle();
  };
  const answer = (call: Call, raw: RawMessage, message: Message) => {
    if (call.state === "closed") return;
    call.onResponse(raw, message, call);
    leave(call, "closed");
  };
  const toHost: ResponseHandler = (raw) => {
    output.write(raw);
  };
  return {
    toHost,
    answer,
    start: (exchange) => {
      const ids = new Set(exchange.calls.map(({ id }) => id));
      if (ids.size < exchange.calls.length || [...ids].some((id) => calls.has(id))) return false;
      for (const call of exchange.calls) calls.set(call.id, call);
      exchanges.add(exchange);
      return true;
    },
    end: (exchange) => {
      exchanges.delete(exchange);
      checkIdle();
    },
    all: () => exchanges,
    whenIdle: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        checkIdle();
      }),
    find: (id) => (isId(id) ? calls.get(id) : undefined),
    answerWithFallback: (call, text) => {
      output.write(text);
      leave(call, "fallback");
    },
    fail: (exchange, failure) => {
      for (const call of exchange.calls) {
        if (call.state === "fallback") leave(call, "closed");
        const message = toErrorMessage(call.id, failure, exchange.requestId);
        answer(call, JSON.stringify(message), message);
      }
    },
    drop: (call) => {
      leave(call, "closed");
    },
    dispatch: createDispatch({ calls, answer, leave, toHost, write: output.write }),
  };
}

interface DispatchDeps extends Pick<OpenExchanges, "answer" | "toHost"> {
  calls: ReadonlyMap<RpcId, Call>;
  leave: (call: Call, state: "closed") => void;
  write: Write;
}

function createDispatch(deps: DispatchDeps): OpenExchanges["dispatch"] {
  const { calls, answer, leave, toHost, write } = deps;
  const findOpen = ({ id, method }: Message, exchange: Exchange | undefined) => {
    if (!isId(id) || method !== undefined) return undefined;
    const call = exchange?.calls.find((own) => own.id === id) ?? calls.get(id);
    return call?.state === "closed" ? undefined : call;
  };
  const dispatchOne = (message: unknown, raw: RawMessage, exchange: Exchange | undefined) => {
    if (!isRecord(message)) return true;
    if (typeof message["method"] === "string") return write(raw);
    const call = findOpen(message, exchange);
    if (call !== undefined) answer(call, raw, message);
    return true;
  };
  return (message, raw, exchange) => {
    if (!Array.isArray(message)) return dispatchOne(message, raw, exchange);
    const messages: unknown[] = message;
    // A batch of answers stays one where nothing in it is for us.
    const found = new Set(messages.map((one) => findOpen(toRecord(one), exchange)));
    const areHosts = [...found].every((call) => call?.onResponse === toHost);
    if (!areHosts || found.size < messages.length) {
      return messages.map((one) => dispatchOne(one, JSON.stringify(one), exchange)).every(Boolean);
    }
    for (const call of found) if (call !== undefined) leave(call, "closed");
    return write(raw);
  };
}

function isAwaited(exchange: Exchange): boolean {
  if (isBackground(exchange) || exchange.abort.signal.aborted) return false;
  return exchange.calls.length === 0 || exchange.calls.some(({ state }) => state === "open");
}

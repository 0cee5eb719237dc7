import { type Calls, createCalls } from "./calls.js";
import { isBackground, type Exchange } from "./exchange.js";
import type { RawMessage } from "./message.js";

/** All that is on its way, and its answers. */
export interface OpenExchanges extends Omit<Calls, "open"> {
  /** False when the host waits for another answer under an id of the job. */
  start: (exchange: Exchange) => boolean;
  end: (exchange: Exchange) => void;
  all: () => Iterable<Exchange>;
  /** Resolves when the host waits for nothing more. */
  whenIdle: () => Promise<void>;
}

export function createOpenExchanges(output: {
  write: (frame: RawMessage) => boolean;
}): OpenExchanges {
  const exchanges = new Set<Exchange>();
  let waiting: (() => void)[] = [];
  const checkIdle = () => {
    if (waiting.length === 0 || [...exchanges].some(isAwaited)) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const { open, ...calls } = createCalls({ output, onAnswered: checkIdle });
  return {
    ...calls,
    start: (exchange) => {
      if (!open(exchange)) return false;
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
  };
}

function isAwaited(exchange: Exchange): boolean {
  if (isBackground(exchange) || exchange.abort.signal.aborted) return false;
  return exchange.calls.length === 0 || exchange.calls.some(({ state }) => state === "open");
}

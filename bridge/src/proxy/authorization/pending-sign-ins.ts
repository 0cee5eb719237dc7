import type {
  PendingSignIn,
  RequestSignIn,
  SignInOutcome,
  SignInRequest,
} from "../../sign-in/sign-in.js";
import type { Exchange } from "../requests/exchange.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { pause } from "../requests/timeouts.js";

/** The sign-ins this process waits for. */
export interface PendingSignIns {
  begin: RequestSignIn;
  /** Joins the one that is pending, if there is one. */
  join: RequestSignIn;
  /** Undefined when the time or the exchange ends first. */
  awaitOutcome: (pending: PendingSignIn, exchange: Exchange) => Promise<SignInOutcome | undefined>;
  /** Resolves when anybody has signed in, in this process or another one, or at the abort. */
  awaitToken: (signal: AbortSignal) => Promise<void>;
  isPending: () => boolean;
  /** The person said no last time, so only asking for a sign-in itself may open a window again. */
  isDenied: () => boolean;
  close: () => void;
}

export function createPendingSignIns(
  deps: ProxyContext & { requestSignIn: RequestSignIn },
): PendingSignIns {
  const { tokens, requestSignIn, timeouts } = deps;
  const pending = new Set<PendingSignIn>();
  let newest: Promise<PendingSignIn | undefined> | undefined;
  let isDenied = false;
  /** Aborted at every sign-in that succeeds. */
  let done = new AbortController();

  const begin = async (request: SignInRequest) => {
    const begun = await requestSignIn(request);
    if (begun === undefined) return undefined;
    pending.add(begun);
    void begun.outcome.then(({ kind }) => {
      pending.delete(begun);
      isDenied = kind === "denied";
      if (kind !== "done") return;
      done.abort();
      done = new AbortController();
    });
    return begun;
  };
  return {
    begin,
    join: async (request) => {
      while (newest !== undefined) {
        const attempt = newest;
        const begun = await attempt.catch(() => undefined);
        if (begun !== undefined && pending.has(begun)) return begun;
        if (newest === attempt) newest = undefined;
      }
      newest = begin(request);
      return newest;
    },
    awaitOutcome: async ({ outcome }, exchange) => {
      const left = exchange.deadline - timeouts.requestReserveMs - performance.now();
      const timer = new AbortController();
      const stop = AbortSignal.any([exchange.abort.signal, timer.signal]);
      try {
        return await Promise.race([outcome, pause(Math.max(0, left), stop).then(() => undefined)]);
      } finally {
        timer.abort();
      }
    },
    awaitToken: async (signal) => {
      const hasToken = async () => (await tokens.get().catch(() => undefined)) !== undefined;
      do await pause(timeouts.signInPollMs, AbortSignal.any([signal, done.signal]));
      while (!signal.aborted && !(await hasToken()));
    },
    isPending: () => pending.size > 0,
    isDenied: () => isDenied,
    close: () => {
      for (const { leave } of pending) leave();
    },
  };
}

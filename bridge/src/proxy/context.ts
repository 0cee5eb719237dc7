import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../common/log.js";
import type { Settings } from "../common/settings.js";
import type { HttpClient } from "../http/http-client.js";
import type { TokenManager } from "../tokens/token-manager.js";
import type { OpenExchanges, RawMessage } from "./exchange.js";
import type { Failure } from "./failures.js";
import type { StartupCache } from "./startup-cache.js";
import type { ToolCatalog } from "./tool-catalog.js";

export type Timeouts = typeof defaultTimeouts;

const defaultTimeouts = {
  /** Longest wait of `initialize` and `server/discover` for the server's own answer. */
  initializeMs: 1500,
  /** Longest wait of a list for the server's own answer, before another is given. */
  listMs: 8000,
  /** How long a notification can keep the next one waiting. */
  notificationOrderMs: 1000,
  /** What a sign-in leaves of the time for an answer, for the request itself. */
  requestReserveMs: 5000,
  firstRetryMs: 100,
  maxRetryMs: 2000,
  /** The same for what nobody waits for. */
  maxBackgroundRetryMs: 10_000,
  /** Longest wait that a server can ask for. */
  maxRetryAfterMs: 15 * 60_000,
  /** A stream that lived this long is no failed try. */
  stableStreamMs: 5000,
  /** How long a server may keep a stream open after its last answer. */
  lingerMs: 1000,
  /** Between looks for a sign-in that another process completed. */
  signInPollMs: 5000,
};

/** What is given early must be given in time, however short that is. */
export function toTimeouts(timeoutMs: number): Timeouts {
  const { listMs, requestReserveMs } = defaultTimeouts;
  const half = timeoutMs / 2;
  return {
    ...defaultTimeouts,
    listMs: Math.min(listMs, half),
    requestReserveMs: Math.min(requestReserveMs, half),
  };
}

/** The wait after so many failed tries: twice as long each time, and as long as the server asks. */
export function toBackoffMs(
  timeouts: Timeouts,
  tries: number,
  maxMs: number,
  retryAfterMs = 0,
): number {
  const backoff = Math.min(timeouts.firstRetryMs * 2 ** tries, maxMs);
  return Math.max(backoff, Math.min(retryAfterMs, timeouts.maxRetryAfterMs));
}

/** The same for what nobody waits for. */
export function backgroundBackoff(timeouts: Timeouts, tries: number, retryAfterMs = 0): number {
  return toBackoffMs(timeouts, tries, timeouts.maxBackgroundRetryMs, retryAfterMs);
}

const maxTimerMs = 2 ** 31 - 1;

/** Resolves after the time, which may be Infinity, or at the abort, whichever is first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => undefined);
}

/** What the work comes to, or undefined when the time or the signal ends first. */
export async function within<Result>(
  ms: number,
  work: Promise<Result>,
  ...signals: AbortSignal[]
): Promise<Result | undefined> {
  const timer = new AbortController();
  const over = pause(Math.max(0, ms), AbortSignal.any([timer.signal, ...signals]));
  try {
    return await Promise.race([work, over.then(() => undefined)]);
  } finally {
    timer.abort();
  }
}

export class ConnectionProblem {
  readonly #log: Log;
  current: Failure | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** What only a person can mend is said to them once: nobody may ever call a tool to read it. */
  report(failure: Failure): void {
    this.current = failure;
    if (failure.isSetup) this.#log.notice(failure.message);
  }
}

export interface ProxyContext {
  settings: Settings;
  log: Log;
  http: HttpClient;
  tokens: TokenManager;
  /** The one way to the host; `write` is false and `drained` waits while it reads slowly. */
  output: { write: (frame: RawMessage) => boolean; drained: () => Promise<void> };
  timeouts: Timeouts;
  exchanges: OpenExchanges;
  tools: ToolCatalog;
  startupCache: StartupCache;
  problem: ConnectionProblem;
  maxAnswerBytes: number;
}

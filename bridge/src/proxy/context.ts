import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../common/log.js";
import type { Settings } from "../common/settings.js";
import type { HttpClient } from "../http/http-client.js";
import type { TokenManager } from "../tokens/token-manager.js";
import type { OpenExchanges, RawMessage } from "./exchange.js";
import type { Failure } from "./failures.js";
import type { StartupCache } from "./local/startup-cache.js";
import type { ToolCatalog } from "./local/tool-catalog.js";

export type Timeouts = typeof defaultTimeouts;

const defaultTimeouts = {
  /** Longest wait of `initialize` and `server/discover` for the server's own response. */
  initializeMs: 1500,
  /** Longest wait of a list for the server's own response before a fallback is sent. */
  listMs: 8000,
  /** How long a notification can delay the next one. */
  notificationOrderMs: 1000,
  /** Time reserved for the request after a sign-in. */
  requestReserveMs: 5000,
  firstRetryMs: 100,
  maxRetryMs: 2000,
  /** For background requests. */
  maxBackgroundRetryMs: 10_000,
  /** Longest wait that a server can request. */
  maxRetryAfterMs: 15 * 60_000,
  /** A stream that lasted this long was no failure. */
  stableStreamMs: 5000,
  /** How long a server may leave a stream open after its last response. */
  lingerMs: 1000,
  /** Poll interval for a sign-in completed by another process. */
  signInPollMs: 5000,
};

/** Caps the waits for short time-outs, so that fallbacks are in time. */
export function toTimeouts(timeoutMs: number): Timeouts {
  const { listMs, requestReserveMs } = defaultTimeouts;
  const half = timeoutMs / 2;
  return {
    ...defaultTimeouts,
    listMs: Math.min(listMs, half),
    requestReserveMs: Math.min(requestReserveMs, half),
  };
}

/**
 * The delay after a number of failed attempts. Doubles each time and is at least the server's
 * Retry-After.
 */
export function toBackoffMs(
  timeouts: Timeouts,
  tries: number,
  maxMs: number,
  retryAfterMs = 0,
): number {
  const backoff = Math.min(timeouts.firstRetryMs * 2 ** tries, maxMs);
  return Math.max(backoff, Math.min(retryAfterMs, timeouts.maxRetryAfterMs));
}

export function backgroundBackoff(timeouts: Timeouts, tries: number, retryAfterMs = 0): number {
  return toBackoffMs(timeouts, tries, timeouts.maxBackgroundRetryMs, retryAfterMs);
}

const maxTimerMs = 2 ** 31 - 1;

/** Resolves after the time, which may be Infinity, or when aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => undefined);
}

/** Resolves with the result, or undefined if the time or a signal ends first. */
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

  /**
   * Notifies the person once about failures that only they can fix, because they may never call a
   * tool.
   */
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
  /** The only way to the host. If `write` returns false, wait for `drained`. */
  output: { write: (frame: RawMessage) => boolean; drained: () => Promise<void> };
  timeouts: Timeouts;
  exchanges: OpenExchanges;
  tools: ToolCatalog;
  startupCache: StartupCache;
  problem: ConnectionProblem;
  maxAnswerBytes: number;
}

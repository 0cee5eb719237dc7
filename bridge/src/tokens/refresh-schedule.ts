import type { AccessToken } from "./token-pair.js";
import { createWallClockTimer } from "./wall-clock-timer.js";

const firstRetryMs = 1000;
const maxRetryMs = 5 * 60_000;
const minWaitMs = 30_000;

/** Knows when the next token is to be asked for. Nothing rings before `start`. */
export interface RefreshSchedule {
  start: (token: AccessToken | undefined) => void;
  stop: () => void;
  /** After a success: plans what comes before this token's end; undefined has none. */
  plan: (token: AccessToken | undefined) => void;
  /** After a failure: plans another try, later with each one in a row. */
  planRetry: (retryAfterMs: number | undefined) => void;
}

export function createRefreshSchedule(onTime: () => void, due = dueAt): RefreshSchedule {
  const timer = createWallClockTimer(onTime);
  let isRunning = false;
  let failures = 0;
  const plan = (token: AccessToken | undefined) => {
    failures = 0;
    if (isRunning) timer.set(token === undefined ? Infinity : due(token));
  };
  return {
    plan,
    start: (token) => {
      isRunning = true;
      plan(token);
    },
    stop: () => {
      isRunning = false;
      timer.set(Infinity);
    },
    planRetry: (retryAfterMs = 0) => {
      const backoff = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
      failures += 1;
      if (isRunning) {
        timer.set(Date.now() + Math.max(retryAfterMs, backoff * (0.5 + Math.random() / 2)));
      }
    },
  };
}

/**
 * With a fifth of the time left, and at least 30 s where there is that much. Spread a little, so
 * that one process of several does it and the others find it done. Never sooner than in 30 s:
 * tokens that do not live that long are followed when the next one is needed.
 */
export function dueAt({ expiresAt }: AccessToken): number {
  const now = Date.now();
  const left = expiresAt - now;
  if (left < minWaitMs) return Infinity;
  const ahead = Math.max(left / 5, Math.min(30_000, left / 2));
  return Math.max(expiresAt - ahead - (Math.random() * left) / 20, now + minWaitMs);
}

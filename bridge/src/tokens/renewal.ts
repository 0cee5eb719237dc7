import type { AccessToken } from "./access-token.js";
import { createAlarm } from "./alarm.js";

const firstRetryMs = 1000;
const longestRetryMs = 5 * 60_000;
const shortestWaitMs = 30_000;

/** Knows when the next token is to be asked for. Nothing rings before `start`. */
export interface Renewal {
  start: (token: AccessToken | undefined) => void;
  stop: () => void;
  /** After a success: plans what comes before this token's end; undefined has none. */
  plan: (token: AccessToken | undefined) => void;
  /** After a failure: plans another try, later with each one in a row. */
  planAgain: (retryAfterMs: number | undefined) => void;
}

export function createRenewal(ring: () => void, due = dueAt): Renewal {
  const alarm = createAlarm(ring);
  let isRunning = false;
  let failures = 0;
  const plan = (token: AccessToken | undefined) => {
    failures = 0;
    if (isRunning) alarm.set(token === undefined ? Infinity : due(token));
  };
  return {
    plan,
    start: (token) => {
      isRunning = true;
      plan(token);
    },
    stop: () => {
      isRunning = false;
      alarm.set(Infinity);
    },
    planAgain: (retryAfterMs = 0) => {
      const backoff = Math.min(firstRetryMs * 2 ** failures, longestRetryMs);
      failures += 1;
      if (isRunning) {
        alarm.set(Date.now() + Math.max(retryAfterMs, backoff * (0.5 + Math.random() / 2)));
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
  if (left < shortestWaitMs) return Infinity;
  const ahead = Math.max(left / 5, Math.min(30_000, left / 2));
  return Math.max(expiresAt - ahead - (Math.random() * left) / 20, now + shortestWaitMs);
}

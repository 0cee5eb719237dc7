import type { RetryDecision } from "../authorization/reauthorization.js";
import type { Failure } from "../requests/failures.js";
import { isBackground, isFinished, type Exchange } from "../requests/exchange.js";
import { type Timeouts, pause, toBackoffMs } from "../requests/timeouts.js";

/** Waits before a job is tried again; gives it up with the failure where its time does not allow. */
export async function retryLater(
  exchange: Exchange,
  failure: Failure,
  timeouts: Timeouts,
  retryAfterMs?: number,
): Promise<RetryDecision> {
  const longest = isBackground(exchange) ? timeouts.maxBackgroundRetryMs : timeouts.maxRetryMs;
  const ms = toBackoffMs(timeouts, exchange.tries, longest, retryAfterMs);
  exchange.tries += 1;
  if (performance.now() + ms >= exchange.deadline) return failure;
  await pause(ms, exchange.abort.signal);
  return isFinished(exchange) ? "done" : "retry";
}

import { parseRetryAfter, transientStatuses } from "../../http/transient-status.js";
import type { Reauthorization } from "../authorization/reauthorization.js";
import { type Exchange, isFinished } from "../requests/exchange.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { pause, toBackoffMs } from "../requests/timeouts.js";
import type { Outcome, Refusal, Upstream, UpstreamRequest } from "../upstream/upstream.js";

type End = Extract<Outcome, { kind: "ended" }>;
type TooLong = Extract<Outcome, { kind: "tooLong" }>;

export interface ResumeStreamDeps extends ProxyContext {
  upstream: Upstream;
  reauthorization: Reauthorization;
}

/**
 * Goes on with a stream that ended before the exchange was done, which executes nothing again. Ends when
 * the exchange is over, when the server refuses, or after the time-out without any news.
 */
export async function resumeStream(
  exchange: Exchange,
  request: UpstreamRequest,
  end: End,
  { settings, upstream, reauthorization, timeouts }: ResumeStreamDeps,
): Promise<End | TooLong> {
  let last = end;
  let retryAfterMs = end.retryMs;
  let until = performance.now() + settings.timeoutMs;
  for (let tries = 0; ; tries += 1) {
    const ms = toBackoffMs(timeouts, tries, timeouts.maxRetryMs, retryAfterMs);
    if (performance.now() + ms >= until) break;
    await pause(ms, exchange.abort.signal);
    if (isFinished(exchange)) break;
    const outcome = await upstream.listen(request, last.lastEventId);
    retryAfterMs = last.retryMs;
    if (outcome.kind === "refused") {
      if (!(await isTransient(exchange, outcome, reauthorization))) break;
      retryAfterMs = parseRetryAfter(outcome.headers) ?? retryAfterMs;
    }
    // It would come again.
    if (outcome.kind === "tooLong") return outcome;
    if (outcome.kind !== "ended") continue;
    const lastEventId = outcome.lastEventId ?? last.lastEventId;
    if (lastEventId !== last.lastEventId) {
      until = performance.now() + settings.timeoutMs;
      tries = 0;
    }
    last = { ...outcome, lastEventId, retryMs: outcome.retryMs ?? last.retryMs };
    retryAfterMs = last.retryMs;
  }
  return last;
}

async function isTransient(
  exchange: Exchange,
  { status, token }: Refusal,
  reauthorization: Reauthorization,
): Promise<boolean> {
  if (status !== 401) return transientStatuses.has(status);
  const decision = await reauthorization.renewToken(exchange, token).catch(() => "done");
  return decision === "retry";
}

import type { Settings } from "../settings.js";
import { isOver, type Job } from "./job.js";
import { type Pace, pause } from "./pace.js";
import type { Outcome, Sending, Upstream } from "./upstream.js";

type End = Extract<Outcome, { kind: "ended" }>;

export interface ResumptionParts {
  settings: Settings;
  upstream: Upstream;
  pace: Pace;
}

/**
 * Goes on with a stream that ended before the job was done, which executes nothing again. Ends when
 * the job is over, when the server refuses, or after the time-out without any news.
 */
export async function resumeStream(
  job: Job,
  sending: Sending,
  end: End,
  { settings, upstream, pace }: ResumptionParts,
): Promise<End> {
  let last = end;
  let until = performance.now() + settings.timeoutMs;
  for (let tries = 0; !isOver(job) && performance.now() < until; tries += 1) {
    const backoff = Math.min(pace.firstRetryMs * 2 ** tries, pace.longestRetryMs);
    await pause(last.retryMs ?? backoff, job.abort.signal);
    if (isOver(job)) break;
    const outcome = await upstream.listen(sending, last.lastEventId);
    if (outcome.kind === "refused" && outcome.status < 500) break;
    if (outcome.kind !== "ended") continue;
    const lastEventId = outcome.lastEventId ?? last.lastEventId;
    if (lastEventId !== last.lastEventId) {
      until = performance.now() + settings.timeoutMs;
      tries = 0;
    }
    last = { ...outcome, lastEventId, retryMs: outcome.retryMs ?? last.retryMs };
  }
  return last;
}

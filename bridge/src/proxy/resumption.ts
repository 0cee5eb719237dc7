import type { Settings } from "../settings.js";
import type { Access } from "./access.js";
import { isOver, type Job } from "./job.js";
import { type Pace, pause, toWait } from "./pace.js";
import { findRetryAfter, passing } from "./retry.js";
import type { Outcome, Refusal, Sending, Upstream } from "./upstream.js";

type End = Extract<Outcome, { kind: "ended" }>;

export interface ResumptionParts {
  settings: Settings;
  upstream: Upstream;
  access: Access;
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
  { settings, upstream, access, pace }: ResumptionParts,
): Promise<End> {
  let last = end;
  let askedMs = end.retryMs;
  let until = performance.now() + settings.timeoutMs;
  for (let tries = 0; ; tries += 1) {
    const ms = toWait(pace, tries, pace.longestRetryMs, askedMs);
    if (performance.now() + ms >= until) break;
    await pause(ms, job.abort.signal);
    if (isOver(job)) break;
    const outcome = await upstream.listen(sending, last.lastEventId);
    askedMs = last.retryMs;
    if (outcome.kind === "refused") {
      if (!(await isPassing(job, outcome, access))) break;
      askedMs = findRetryAfter(outcome.headers) ?? askedMs;
    }
    if (outcome.kind !== "ended") continue;
    const lastEventId = outcome.lastEventId ?? last.lastEventId;
    if (lastEventId !== last.lastEventId) {
      until = performance.now() + settings.timeoutMs;
      tries = 0;
    }
    last = { ...outcome, lastEventId, retryMs: outcome.retryMs ?? last.retryMs };
    askedMs = last.retryMs;
  }
  return last;
}

async function isPassing(job: Job, { status, token }: Refusal, access: Access): Promise<boolean> {
  if (status !== 401) return passing.has(status);
  const verdict = await access.renew(job, token).catch(() => "over");
  return verdict === "again";
}

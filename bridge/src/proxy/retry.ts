import type { Verdict } from "./access.js";
import type { Failure } from "./failures.js";
import { isBackground, isOver, type Job } from "./job.js";
import { type Pace, pause } from "./pace.js";

/** Waits before a job is tried again; gives it up with the failure where its time does not allow. */
export async function retryLater(
  job: Job,
  failure: Failure,
  pace: Pace,
  askedMs?: number,
): Promise<Verdict> {
  const longest = isBackground(job) ? pace.longestBackgroundRetryMs : pace.longestRetryMs;
  const ms = askedMs ?? Math.min(pace.firstRetryMs * 2 ** job.tries, longest);
  job.tries += 1;
  if (performance.now() + ms >= job.deadline) return failure;
  await pause(ms, job.abort.signal);
  return isOver(job) ? "over" : "again";
}

import type { IncomingHttpHeaders } from "node:http";
import type { Verdict } from "./access.js";
import type { Failure } from "./failures.js";
import { isBackground, isOver, type Job } from "./job.js";
import { type Pace, pause, toWait } from "./pace.js";

/** Statuses of a server that may do better in a moment; every other one says the same next time. */
export const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Waits before a job is tried again; gives it up with the failure where its time does not allow. */
export async function retryLater(
  job: Job,
  failure: Failure,
  pace: Pace,
  askedMs?: number,
): Promise<Verdict> {
  const longest = isBackground(job) ? pace.longestBackgroundRetryMs : pace.longestRetryMs;
  const ms = toWait(pace, job.tries, longest, askedMs);
  job.tries += 1;
  if (performance.now() + ms >= job.deadline) return failure;
  await pause(ms, job.abort.signal);
  return isOver(job) ? "over" : "again";
}

/** In milliseconds from now; the header holds seconds or a date (RFC 9110 §10.2.3). */
export function findRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

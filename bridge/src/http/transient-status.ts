import type { IncomingHttpHeaders } from "node:http";

/** Statuses of a server that may do better in a moment; every other one says the same next time. */
export const transientStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** More than that is no wait, and no number that a person should read. */
const maxRetryAfterMs = 24 * 3_600_000;

/** In milliseconds from now, a day at most; the header holds seconds or a date (RFC 9110 §10.2.3). */
export function parseRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxRetryAfterMs);
}

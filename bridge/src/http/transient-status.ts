import type { IncomingHttpHeaders } from "node:http";

/** Statuses of a server that may do better in a moment; every other one says the same next time. */
export const transientStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** In milliseconds from now; the header holds seconds or a date (RFC 9110 §10.2.3). */
export function parseRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

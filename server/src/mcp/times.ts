import { dayIn, instantIn, startOfDay, toTimestamp } from "../domain/shared/dates.js";

const timestamp =
  /^(?<day>\d{4}-\d{2}-\d{2})T(?<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?<offset>Z|[+-]\d{2}:\d{2})?$/i;

/** The day of a timestamp: as written at midnight or without an offset, else in the time zone. */
export function toDay(text: string, timeZone: string): string {
  const { day, clock, offset } = timestamp.exec(text)?.groups ?? {};
  if (day === undefined || clock === undefined) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  return offset === undefined || /^[0:.]+$/.test(clock) ? day : dayIn(timeZone, at);
}

/** The instant at which a plain day begins in the time zone, and that of a time without an offset. */
export function toInstant(text: string, timeZone: string): string {
  return isDay(text) ? toTimestamp(startOfDay(timeZone, text)) : toOffsetTime(text, timeZone);
}

/** A time without an offset is one of the time zone; any other text stays. */
export function toOffsetTime(text: string, timeZone: string): string {
  const written = text.replace(" ", "T");
  const { day, offset } = timestamp.exec(written)?.groups ?? {};
  if (day === undefined || offset !== undefined || !isDay(day)) return text;
  if (Number.isNaN(Date.parse(`${written}Z`))) return text;
  return toTimestamp(instantIn(timeZone, written));
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(text);
  // 30 February would become a day in March.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

import { Temporal } from "temporal-polyfill";
import { t } from "../../language/translate.js";

// Called often: a cached format is ten times as fast as Temporal.
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of an instant in an IANA time zone, as "YYYY-MM-DD". */
export function dayIn(timeZone: string, at = new Date()): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // Swedish dates are ISO 8601.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
    formats.set(timeZone, format);
  }
  return format.format(at).padStart(10, "0");
}

/** The first instant of a day in an IANA time zone. If clocks skip midnight, the next instant. */
export function startOfDay(timeZone: string, day: string): Date {
  return toDate(Temporal.PlainDate.from(day).toZonedDateTime(timeZone));
}

/** The local time of an instant in an IANA time zone, as "YYYY-MM-DDTHH:MM". */
export function localTimeIn(timeZone: string, at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" });
}

/**
 * The instant of a local time, "YYYY-MM-DDTHH:MM", in an IANA time zone. A time that clocks skip is
 * shifted forward. An ambiguous time means the first one.
 */
export function instantIn(timeZone: string, localTime: string): Date {
  return toDate(Temporal.PlainDateTime.from(localTime).toZonedDateTime(timeZone));
}

function toDate({ epochMilliseconds }: Temporal.ZonedDateTime): Date {
  return new Date(epochMilliseconds);
}

/** RFC 3339 in UTC, to the second. */
export function toTimestamp(at: Date): string {
  return at.toISOString().slice(0, 19) + "Z";
}

interface OffsetSpan {
  from: number;
  until: number;
  offsetMs: number;
}

// Clocks change at most twice a year, so offsets are cached until the next change.
const offsets = new Map<string, OffsetSpan[]>();

/**
 * Converts a timestamp of `toTimestamp` to local time in an IANA time zone, with its UTC offset.
 */
export function toLocalTimestamp(timeZone: string, timestamp: string): string {
  const at = Date.parse(timestamp);
  const { offsetMs } = findOffset(timeZone, at);
  if (offsetMs === 0) return timestamp;
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const offset = `${offsetMs < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return toTimestamp(new Date(at + offsetMs)).slice(0, -1) + offset;
}

function findOffset(timeZone: string, at: number): OffsetSpan {
  const known = offsets.get(timeZone) ?? [];
  const span = known.find(({ from, until }) => from <= at && at < until);
  if (span !== undefined) return span;
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  const found = {
    // The change may be at this instant.
    from:
      local.add({ nanoseconds: 1 }).getTimeZoneTransition("previous")?.epochMilliseconds ??
      -Infinity,
    until: local.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity,
    offsetMs: local.offsetNanoseconds / 1e6,
  };
  offsets.set(timeZone, [...known, found]);
  return found;
}

/** Calendar days between two days. Negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

const firstDay = Date.parse("0001-01-01");
const lastDay = Date.parse("9999-12-31");

/** Adds days to a calendar day, within the four-digit years. */
export function addDays(day: string, days: number): string {
  const time = Math.min(lastDay, Math.max(firstDay, Date.parse(day) + days * 86_400_000));
  return new Date(time).toISOString().slice(0, 10);
}

/** The ISO weekday: 1 is Monday. */
export function weekdayOf(day: string): number {
  return Temporal.PlainDate.from(day).dayOfWeek;
}

/** Adds months to a calendar day. Shorter months end earlier. */
export function addMonths(day: string, months: number): string {
  return Temporal.PlainDate.from(day).add({ months }).toString();
}

export function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}

const firstMonth = "1950-01-01";

/** Returns `from`, then the first day of each month before `until`. */
export function startsOfMonths(from: string, until: string): string[] {
  const starts = [from];
  // Earlier time is one span, because thousands of months would block the server.
  const first = from < firstMonth ? firstMonth : from;
  let month = Temporal.PlainDate.from(first).with({ day: 1 }).add({ months: 1 });
  // Not compared as text, because a year of five digits sorts before all others.
  const end = Temporal.PlainDate.from(until);
  for (; Temporal.PlainDate.compare(month, end) < 0; month = month.add({ months: 1 })) {
    starts.push(month.toString());
  }
  return starts;
}

export function monthsBetween(from: string, to: string): number {
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  // Two-digit days compare as text.
  return months(to) - months(from) - (to.slice(8) < from.slice(8) ? 1 : 0);
}

const spans = [
  [86_400, "{count, plural, one {# day} other {# days}}||ago"],
  [3600, "{count, plural, one {# hour} other {# hours}}||ago"],
  [60, "{count, plural, one {# minute} other {# minutes}}||ago"],
  [1, "{count, plural, one {# second} other {# seconds}}||ago"],
] as const;

/** "2 minutes", "3 hours", "5 days": the time since an instant, for a sentence. */
export function describeAgo(at: Date, now = new Date()): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  const [size, text] = spans.find(([least]) => seconds >= least) ?? spans[3];
  return t(text, { count: Math.floor(seconds / size) });
}

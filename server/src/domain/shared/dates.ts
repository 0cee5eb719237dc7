import { Temporal } from "temporal-polyfill";
import { t } from "../../language/translate.js";

// Asked on every call: a cached format is ten times as fast as Temporal.
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day, "YYYY-MM-DD", that it is at an instant in an IANA time zone. */
export function dayIn(timeZone: string, at = new Date()): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // Swedish dates are ISO 8601.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
    formats.set(timeZone, format);
  }
  return format.format(at).padStart(10, "0");
}

/** The first instant of a calendar day in an IANA time zone; where clocks skip midnight, the next. */
export function startOfDay(timeZone: string, day: string): Date {
  return toDate(Temporal.PlainDate.from(day).toZonedDateTime(timeZone));
}

/** The date and clock time, "YYYY-MM-DDTHH:MM", that it is at an instant in an IANA time zone. */
export function localTimeIn(timeZone: string, at: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" });
}

/**
 * The instant of a date and clock time, "YYYY-MM-DDTHH:MM", in an IANA time zone. A time that clocks
 * skip is that much later; of one that comes twice, it is the first.
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

// Clocks change twice a year at most: what was found holds until then.
const offsets = new Map<string, OffsetSpan[]>();

/** A timestamp of `toTimestamp` as the clocks of an IANA time zone show it, with their offset from UTC. */
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
    // The instant itself may be the change.
    from:
      local.add({ nanoseconds: 1 }).getTimeZoneTransition("previous")?.epochMilliseconds ??
      -Infinity,
    until: local.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity,
    offsetMs: local.offsetNanoseconds / 1e6,
  };
  offsets.set(timeZone, [...known, found]);
  return found;
}

/** Calendar days from one day to another, negative when it lies before. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

const firstDay = Date.parse("0001-01-01");
const lastDay = Date.parse("9999-12-31");

/** The calendar day that is so many days later, or earlier; within the four-digit years. */
export function addDays(day: string, days: number): string {
  const time = Math.min(lastDay, Math.max(firstDay, Date.parse(day) + days * 86_400_000));
  return new Date(time).toISOString().slice(0, 10);
}

/** The calendar day that is so many months later, or earlier; a shorter month ends earlier. */
export function addMonths(day: string, months: number): string {
  return Temporal.PlainDate.from(day).add({ months }).toString();
}

const firstMonth = "1950-01-01";

/** The day, and the first day of each month after it and before another day. */
export function startsOfMonths(from: string, until: string): string[] {
  const starts = [from];
  // What lies before is one span: thousands of months keep everybody waiting.
  const first = from < firstMonth ? firstMonth : from;
  let month = Temporal.PlainDate.from(first).with({ day: 1 }).add({ months: 1 });
  // Not as texts: a year of five digits sorts before all others.
  const end = Temporal.PlainDate.from(until);
  for (; Temporal.PlainDate.compare(month, end) < 0; month = month.add({ months: 1 })) {
    starts.push(month.toString());
  }
  return starts;
}

/** Whole months that have passed from one day to a later one. */
export function monthsBetween(from: string, to: string): number {
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  // Days of a month sort like their two digits.
  return months(to) - months(from) - (to.slice(8) < from.slice(8) ? 1 : 0);
}

const spans = [
  [86_400, "{count, plural, one {# day} other {# days}}||ago"],
  [3600, "{count, plural, one {# hour} other {# hours}}||ago"],
  [60, "{count, plural, one {# minute} other {# minutes}}||ago"],
  [1, "{count, plural, one {# second} other {# seconds}}||ago"],
] as const;

/** "2 minutes", "3 hours", "5 days": how long ago something was, for a sentence. */
export function describeAgo(at: Date, now = new Date()): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  const [size, text] = spans.find(([least]) => seconds >= least) ?? spans[3];
  return t(text, { count: Math.floor(seconds / size) });
}

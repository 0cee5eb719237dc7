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

/** The first second of a calendar day in an IANA time zone; where clocks skip midnight, the next. */
export function startOfDay(timeZone: string, day: string): Date {
  const second = 1000;
  const utc = Date.parse(day);
  let [before, start] = [utc - 86_400 * second, utc + 86_400 * second];
  while (start - before > second) {
    const middle = before + Math.floor((start - before) / second / 2) * second;
    if (dayIn(timeZone, new Date(middle)) < day) before = middle;
    else start = middle;
  }
  return new Date(start);
}

/** RFC 3339 in UTC, to the second. */
export function toTimestamp(at: Date): string {
  return at.toISOString().slice(0, 19) + "Z";
}

/** Calendar days from one day to another, negative when it lies before. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** Whole months that have passed from one day to another. */
export function monthsBetween(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0, fromDay = 0] = from.split("-").map(Number);
  const [toYear = 0, toMonth = 0, toDay = 0] = to.split("-").map(Number);
  return (toYear - fromYear) * 12 + (toMonth - fromMonth) - (toDay < fromDay ? 1 : 0);
}

/** "2 minutes", "3 hours", "5 days": how long ago something was, for a sentence. */
export function agoInWords(at: Date, now = new Date()): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  const steps: [number, string][] = [
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"],
  ];
  for (const [size, word] of steps) {
    const count = Math.floor(seconds / size);
    if (count > 0) return `${count} ${word}${count === 1 ? "" : "s"}`;
  }
  return "0 seconds";
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date and clock time, "YYYY-MM-DDTHH:MM", that it is at an instant in an IANA time zone. */
export function localTimeIn(timeZone: string, at: Date): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    // Swedish dates are ISO 8601.
    format = new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      dateStyle: "short",
      timeStyle: "short",
      hourCycle: "h23",
    });
    formats.set(timeZone, format);
  }
  return format.format(at).replace(" ", "T").padStart(16, "0");
}

/**
 * The instant of a date and clock time, "YYYY-MM-DDTHH:MM", in an IANA time zone. A time that clocks
 * skip is that much later; of one that comes twice, it is the first.
 */
export function instantIn(timeZone: string, localTime: string): Date {
  const asUtc = Date.parse(`${localTime}Z`);
  const day = 24 * 60 * 60_000;
  const offsets = [asUtc - day, asUtc + day].map((near) => offsetAt(timeZone, near));
  const [before = 0, after = 0] = offsets;
  const fits = [before, after].find((offset) => offsetAt(timeZone, asUtc - offset) === offset);
  return new Date(asUtc - (fits ?? before));
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetAt(timeZone: string, at: number): number {
  const minute = 60_000;
  const whole = Math.floor(at / minute) * minute;
  return Date.parse(`${localTimeIn(timeZone, new Date(whole))}Z`) - whole;
}

/** An all-day entry of a calendar (RFC 5545). */
export interface CalendarEvent {
  uid: string;
  /** YYYY-MM-DD */
  day: string;
  changedAt: Date;
  sequence: number;
  summary: string;
  description: string;
  location: string | undefined;
  url: string;
  category: string;
  /** 1 is the highest, 9 the lowest. */
  priority: number;
}

export interface Calendar {
  name: string;
  description: string;
  events: readonly CalendarEvent[];
}

/** The limit for the longest texts. A thousand ordinary events have about 600 KB. */
const maxOctetsOfEvents = 1_048_576;

/**
 * The text of a calendar. Equal events give equal text, because apps fetch it repeatedly. If the
 * events are too long together, only the first ones are included.
 */
export function writeCalendar({ name, description, events }: Calendar): string {
  const begin = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Fettle//Maintenance tasks//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `X-WR-CALDESC:${escaped(description)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
  ];
  const parts = [toText(begin)];
  let room = maxOctetsOfEvents;
  for (const event of events) {
    const part = toText(toLines(event));
    room -= Buffer.byteLength(part);
    if (room < 0) break;
    parts.push(part);
  }
  return [...parts, toText(["END:VCALENDAR"])].join("");
}

const toText = (lines: readonly string[]) => lines.map((line) => `${folded(line)}\r\n`).join("");

function toLines(event: CalendarEvent): string[] {
  const changed = toUtc(event.changedAt);
  return [
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `SEQUENCE:${event.sequence}`,
    // Without an end, the event lasts one day.
    `DTSTART;VALUE=DATE:${event.day.replaceAll("-", "")}`,
    `SUMMARY:${escaped(event.summary)}`,
    `DESCRIPTION:${escaped(event.description)}`,
    ...(event.location === undefined ? [] : [`LOCATION:${escaped(event.location)}`]),
    `URL:${event.url}`,
    `CATEGORIES:${escaped(event.category)}`,
    `PRIORITY:${event.priority}`,
    // Due work doesn't make a person busy for the day.
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** 20261124T143000Z */
function toUtc(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Escapes a text value. Control characters are not allowed in it. */
function escaped(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, " ");
}

const maxOctets = 75;

/**
 * Folds a line after at most 75 octets. Further lines begin with a space. No character is split.
 */
function folded(line: string): string {
  const octets = Buffer.from(line);
  const parts: string[] = [];
  let begin = 0;
  for (let room = maxOctets; octets.length - begin > room; room = maxOctets - 1) {
    let end = begin + room;
    while (isInside(octets[end])) end -= 1;
    parts.push(octets.toString("utf8", begin, end));
    begin = end;
  }
  return [...parts, octets.toString("utf8", begin)].join("\r\n ");
}

/** True for a continuation octet of UTF-8. */
function isInside(octet = 0): boolean {
  return octet >= 0x80 && octet < 0xc0;
}

import type { VNode } from "preact";
import { dayIn } from "../../domain/values/dates.js";
import { describeDay, describeMomentInFull, formatDay } from "../text/format.js";

interface DayListProps<Entry> {
  /** The newest first. */
  entries: readonly Entry[];
  momentOf: (entry: Entry) => Date;
  timeZone: string;
  today: string;
  /** Of the days; the level below the heading that stands over the list. */
  heading: "h2" | "h3";
  row: (entry: Entry) => VNode;
}

/** What happened, by day. */
export function DayList<Entry>(props: DayListProps<Entry>): VNode {
  const { entries, momentOf, timeZone, today, heading: Heading, row } = props;
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const day = dayIn(timeZone, momentOf(entry));
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return (
    <div class="history">
      {[...days].map(([day, ofDay]) => (
        <section key={day}>
          <Heading>
            <time dateTime={day}>{toDayLabel(day, today)}</time>
          </Heading>
          <ol>{ofDay.map(row)}</ol>
        </section>
      ))}
    </div>
  );
}

/** "Today, 21 Nov 2026"; what is long ago is only a date. */
function toDayLabel(day: string, today: string): string {
  const words = describeDay(day, today);
  const date = formatDay(day);
  if (words !== "today" && words !== "yesterday") return date;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${date}`;
}

/** When it was on its day. */
export function TimeOfDay({ at, timeZone }: { at: Date; timeZone: string }): VNode {
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone }).format(at);
  return (
    <time dateTime={at.toISOString()} title={describeMomentInFull(at, timeZone)}>
      {time}
    </time>
  );
}

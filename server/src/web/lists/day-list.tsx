import type { VNode } from "preact";
import { dayIn, daysBetween } from "../../domain/shared/dates.js";
import { currentTimeZone } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { describeMomentInFull, describeTime, formatDay } from "../text/format.js";

interface DayListProps<Entry> {
  /** Newest first. */
  entries: readonly Entry[];
  momentOf: (entry: Entry) => Date;
  now?: Date;
  /** The heading level of days, one below the list's heading. */
  heading: "h2" | "h3";
  row: (entry: Entry) => VNode;
}

export function DayList<Entry>(props: DayListProps<Entry>): VNode {
  const { entries, momentOf, now, heading: Heading, row } = props;
  const timeZone = currentTimeZone();
  const today = dayIn(timeZone, now);
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

/** "Today, 21 Nov 2026". Long ago, only the date. */
function toDayLabel(day: string, today: string): string {
  const date = formatDay(day);
  const ago = daysBetween(day, today);
  if (ago !== 0 && ago !== 1) return date;
  return ago === 0 ? t("Today, {date}", { date }) : t("Yesterday, {date}", { date });
}

export function TimeOfDay({ at }: { at: Date }): VNode {
  return (
    <time dateTime={at.toISOString()} title={describeMomentInFull(at)}>
      {describeTime(at)}
    </time>
  );
}

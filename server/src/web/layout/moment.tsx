import type { VNode } from "preact";
import { describeDay, describeMoment, describeMomentInFull, formatDay } from "../text/format.js";

/** A moment in words, with the full date behind them. */
export function Moment({
  at,
  timeZone,
  inline = false,
}: {
  at: Date;
  /** Where the reader has none and looks at no organization. */
  timeZone?: string | undefined;
  /** Within a sentence: "yesterday 14:20". */
  inline?: boolean;
}): VNode {
  return (
    <time dateTime={at.toISOString()} title={describeMomentInFull(at, timeZone)}>
      {describeMoment(at, { isInline: inline, timeZone })}
    </time>
  );
}

/** A calendar day as people speak of it; with `plain` the date itself, for tables. */
export function Day({
  day,
  today,
  plain = false,
}: {
  day: string;
  today: string;
  plain?: boolean;
}): VNode {
  const date = formatDay(day);
  return (
    <time dateTime={day} title={date}>
      {plain ? date : describeDay(day, today)}
    </time>
  );
}

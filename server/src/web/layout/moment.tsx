import type { VNode } from "preact";
import { describeDay, describeMoment, describeMomentInFull, formatDay } from "../text/format.js";

/** A time in words, with the full date as its title. */
export function Moment({
  at,
  timeZone,
  inline = false,
}: {
  at: Date;
  /** The fallback if the reader has no time zone and views no organization. */
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

/** A calendar day in words. With `plain`, the date itself, for tables. */
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

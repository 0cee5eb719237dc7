import type { VNode } from "preact";
import { describeMoment, describeMomentInFull } from "./words.js";

/** A moment in words, with the full date behind them. */
export function Moment({
  at,
  timeZone = "UTC",
}: {
  at: Date;
  timeZone?: string | undefined;
}): VNode {
  return (
    <time dateTime={at.toISOString()} title={describeMomentInFull(at, timeZone)}>
      {describeMoment(at, timeZone)}
    </time>
  );
}

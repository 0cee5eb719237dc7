import type { ComponentChildren, VNode } from "preact";
import { t, tRich } from "../../../language/translate.js";
import { formatPercent } from "../../text/format.js";

export interface DirectionProps {
  now: number | null;
  before: number | null;
  /** The better direction. Some figures have none. */
  better?: "up" | "down" | undefined;
  /** Shares are compared in points, everything else in percent. */
  isShare?: boolean;
  /** The number of days in the compared period. */
  days: number;
  /** True if the compared period is visible. */
  isNamed?: boolean;
}

/** The change of a figure: an arrow, the amount and a rating. Null without an earlier value. */
export function Direction({
  now,
  before,
  better,
  isShare = false,
  days,
  isNamed = false,
}: DirectionProps): VNode | null {
  const difference = toDifference(now, before, isShare);
  if (difference === undefined) return null;
  if (difference === 0) {
    const words = t("No change vs the previous {days} days", { days });
    return <span class="direction soft">{words}</span>;
  }
  const way = difference > 0 ? "up" : "down";
  const tone = better === undefined ? "" : way === better ? "good" : "bad";
  const size = Math.abs(difference);
  const change = isShare
    ? t("{count, plural, one {# point} other {# points}}", { count: size })
    : formatPercent(size);
  return (
    <span class={`direction ${tone}`}>
      <svg viewBox="0 0 12 12" width="10" height="10" fill="currentColor" aria-hidden="true">
        <path d={way === "up" ? "M6 1 11 10H1Z" : "M6 11 1 2h10Z"} />
      </svg>
      {tRich(changes[way][isNamed ? "named" : "short"], { change, days, hidden })}
    </span>
  );
}

function hidden(words: ComponentChildren): VNode {
  return <span class="visually-hidden">{words}</span>;
}

const changes = {
  up: {
    short: "<hidden>up </hidden>{change}<hidden> vs the previous {days} days</hidden>",
    named: "<hidden>up </hidden>{change} vs the previous {days} days",
  },
  down: {
    short: "<hidden>down </hidden>{change}<hidden> vs the previous {days} days</hidden>",
    named: "<hidden>down </hidden>{change} vs the previous {days} days",
  },
} as const;

/** In points or percent. Undefined if a value is unknown, or for an increase from 0. */
function toDifference(
  now: number | null,
  before: number | null,
  isShare: boolean,
): number | undefined {
  if (now === null || before === null) return undefined;
  if (isShare) return Math.round((now - before) * 10) / 10;
  if (before === 0) return now === 0 ? 0 : undefined;
  return Math.round(((now - before) / Math.abs(before)) * 100);
}

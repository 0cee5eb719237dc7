import type { VNode } from "preact";
import { formatNumber } from "../text/format.js";

export interface DirectionProps {
  now: number | null;
  before: number | null;
  /** Which way is the better one; of some figures neither is. */
  better?: "up" | "down" | undefined;
  /** Shares differ by points, everything else by a part of what it was. */
  isShare?: boolean;
  /** With what it is compared: "the 90 days before". */
  than: string;
}

/** How a figure has changed: an arrow, by how much, and whether that is good. Nothing where nothing is known of before. */
export function Direction({
  now,
  before,
  better,
  isShare = false,
  than,
}: DirectionProps): VNode | null {
  const difference = toDifference(now, before, isShare);
  if (difference === undefined) return null;
  if (difference === 0) return <span class="direction soft">Same as in {than}</span>;
  const way = difference > 0 ? "up" : "down";
  const tone = better === undefined ? "" : way === better ? "good" : "bad";
  return (
    <span class={`direction ${tone}`}>
      <svg viewBox="0 0 12 12" width="10" height="10" fill="currentColor" aria-hidden="true">
        <path d={way === "up" ? "M6 1 11 10H1Z" : "M6 11 1 2h10Z"} />
      </svg>
      <span class="visually-hidden">{way} </span>
      {formatNumber(Math.abs(difference))}{" "}
      {isShare ? (Math.abs(difference) === 1 ? "point" : "points") : "%"}
      <span class="visually-hidden"> against {than}</span>
    </span>
  );
}

/** In points, or percent of what it was; undefined where that is not known, or was nothing, of which there is no part. */
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

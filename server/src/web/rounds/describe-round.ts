import type { FindingOutcome } from "../../db/entities/round-finding.js";
import type { RecordedScan } from "../../domain/rounds/record-scan.js";
import type { RoundRow } from "../../domain/rounds/rounds.js";

export const outcomeLabels: Record<FindingOutcome, string> = {
  seen: "Seen",
  elsewhere: "Belongs elsewhere",
  unknown: "Unknown code",
  missing: "Not seen",
};

/** "Boiler house · Pit 2" */
export function titleOf({ workspace_name, location }: RoundRow): string {
  return location === null ? workspace_name : `${workspace_name} · ${location}`;
}

/** What a scan was, for who made it. */
export function describeScan({ outcome, asset, isKnown }: RecordedScan, code: string): string {
  if (asset === undefined) return `“${code}” is unknown: no label, number or serial that you see.`;
  const { name, state } = asset;
  if (outcome === "seen") return isKnown ? `${name} was noted before.` : `${name} is here.`;
  if (state === "deleted") return `${name} is here, and retired.`;
  return `${name} is here, and belongs elsewhere: ${placeOf(asset)}.`;
}

/** Where an asset belongs. */
export function placeOf({
  workspace_name,
  location,
}: {
  workspace_name: string | null;
  location: string | null;
}): string {
  const parts = [workspace_name ?? "not placed", location].filter((part) => part !== null);
  return parts.join(" · ");
}

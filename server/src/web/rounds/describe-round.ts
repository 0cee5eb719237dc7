import type { RecordedScan } from "../../domain/rounds/record-scan.js";
import type { RoundRow } from "../../domain/rounds/rounds.js";
import { t } from "../../language/translate.js";

/** "Boiler house · Pit 2" */
export function titleOf({ workspace_name, location }: RoundRow): string {
  return location === null ? workspace_name : `${workspace_name} · ${location}`;
}

export function describeScan({ outcome, asset, isKnown }: RecordedScan, code: string): string {
  if (asset === undefined) {
    return t("“{code}” is unknown: no label, number or serial number you can see.", { code });
  }
  const { name, state } = asset;
  if (outcome === "seen") {
    return isKnown ? t("{name} was already recorded.", { name }) : t("{name} is here.", { name });
  }
  if (state === "deleted") return t("{name} is here, but retired.", { name });
  const place = placeOf(asset);
  return t("{name} is here, but belongs elsewhere: {place}.", { name, place });
}

export function placeOf({
  workspace_name,
  location,
}: {
  workspace_name: string | null;
  location: string | null;
}): string {
  const parts = [workspace_name ?? t("in no workspace"), location].filter((part) => part !== null);
  return parts.join(" · ");
}

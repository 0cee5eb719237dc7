import { AppError } from "../../errors.js";
import { maxLevels } from "../assets/asset-parents.js";
import type { NumberedRow } from "./read-values.js";
import type { RowKind } from "./row-kinds.js";

/** Keys that the rows of a file share, independent of row order. */
export interface FileKeys {
  /** The first line of each inventory number, task number, name or email. */
  lines: Map<string, number>;
  /** Maps a part's key to its parent's key. */
  wholes: Map<string, string>;
  /** Names of the workspaces that the import creates, in lower case. */
  places: Set<string>;
}

export function createKeys(): FileKeys {
  return { lines: new Map(), wholes: new Map(), places: new Set() };
}

/** A row with a known key adds nothing. */
export function addKeys(
  { lines, wholes }: FileKeys,
  { keyOf, wholeOf }: Pick<RowKind, "keyOf" | "wholeOf">,
  { values, line }: NumberedRow,
): void {
  const given = keyOf(values);
  if (given === undefined || lines.has(given)) return;
  const key = toOwnText(given);
  lines.set(key, line);
  const whole = wholeOf?.(values);
  if (whole !== undefined) wholes.set(key, toOwnText(whole));
}

/** Copies the text. A substring would keep the whole cell in memory while the file is processed. */
function toOwnText(part: string): string {
  return Buffer.from(part, "utf16le").toString("utf16le");
}

/**
 * Returns how many of the file's rows must be stored before a part: its parent, that row's parent,
 * and so on. Throws for cycles and for too deep a hierarchy.
 */
export function levelOf(
  { lines, wholes }: FileKeys,
  whole: string | undefined,
  key?: string,
): number {
  let level = 0;
  for (let above = whole; above !== undefined && lines.has(above); above = wholes.get(above)) {
    level += 1;
    if (above === key) {
      const details = { field: "parent_asset_id", reference: whole ?? above };
      throw new AppError("validation_failed", "parent_is_part", details);
    }
    if (level >= maxLevels) {
      const details = { field: "parent_asset_id", max: maxLevels, levels: level + 1 };
      throw new AppError("validation_failed", "parts_too_deep", details);
    }
  }
  return level;
}

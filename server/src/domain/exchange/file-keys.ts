import { AppError } from "../../errors.js";
import { maxLevels } from "../assets/asset-parents.js";
import type { NumberedRow } from "./read-values.js";
import type { RowKind } from "./row-kinds.js";

/** What the rows of a file have to know of each other, whatever order they stand in. */
export interface FileKeys {
  /** The first line of each inventory number, task number, name or address. */
  lines: Map<string, number>;
  /** Of parts, by their keys, the key of their whole. */
  wholes: Map<string, string>;
}

export function createKeys(): FileKeys {
  return { lines: new Map(), wholes: new Map() };
}

/** A row whose key is there already says nothing new. */
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

/** A part of a text keeps all of it in memory: here the whole cell, as long as the file is worked on. */
function toOwnText(part: string): string {
  return Buffer.from(part, "utf16le").toString("utf16le");
}

/**
 * How many rows of the file a part is stored after: its whole, the whole of that, and so on. Refuses
 * parts that go round in a circle, or are too deep.
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

import bidiFactory from "bidi-js";

export type Direction = "ltr" | "rtl";

/** A word, or the space between two words. */
export interface Run {
  /** In logical order. */
  text: string;
  direction: Direction;
}

const bidi = bidiFactory();
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Base direction of a text, from its first strong letter. */
export function directionOf(text: string): Direction {
  return bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? "rtl" : "ltr";
}

/**
 * Splits a row into runs in visual order from left to right (rules L2 and L4 of the Unicode
 * bidirectional algorithm).
 */
export function toVisualRuns(row: string, direction: Direction): Run[] {
  // Most rows need no reordering, and this test is much cheaper than computing levels.
  if (direction === "ltr" && !rightToLeft.test(row)) {
    return row.split(/(?<= )|(?= )/).map((text) => ({ text, direction }));
  }
  const runs = splitRuns(row, bidi.getEmbeddingLevels(row, direction).levels);
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < runs.length; start += 1) {
      let end = start;
      while ((runs[end]?.level ?? 0) >= level) end += 1;
      runs.splice(start, end - start, ...runs.slice(start, end).reverse());
      start = end;
    }
  }
  return runs.map(({ text, level }) =>
    level % 2 === 1 ? { text: mirror(text), direction: "rtl" } : { text, direction: "ltr" },
  );
}

/** Splits by word, because a font shapes one script at a time. */
function splitRuns(row: string, levels: Uint8Array): { text: string; level: number }[] {
  const runs: { text: string; level: number }[] = [];
  let at = 0;
  for (const character of row) {
    const level = levels[at] ?? 0;
    const last = runs.at(-1);
    const goesOn = last?.level === level && (last.text === " ") === (character === " ");
    if (goesOn) last.text += character;
    else runs.push({ text: character, level });
    at += character.length;
  }
  return runs;
}

function mirror(text: string): string {
  return Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join(
    "",
  );
}

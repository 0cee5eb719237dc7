import { withoutMarks } from "../shared/text.js";
import { guessColumns, importFields, knownHeadings } from "./import-kinds.js";
import type { ImportKind, ImportWords } from "./import-kinds.js";
import { isChoice } from "./read-choices.js";

export interface GuessedFields {
  /** The field of each column. Null for ignored columns. */
  columns: (string | null)[];
  /** Columns whose field a person should check. */
  doubtful: number[];
}

/**
 * Guesses fields by headings. "Zustand" is the condition of an asset, or its state if the values are
 * states. "Name of the machine" contains a known heading.
 */
export function guessFields(
  kind: ImportKind,
  { headings, samples }: { headings: readonly string[]; samples: readonly (readonly string[])[] },
  words: ImportWords,
): GuessedFields {
  const columns = guessColumns(kind, headings, words);
  const doubtful: number[] = [];
  const guess = (at: number, field: string | undefined) => {
    if (field === undefined) return;
    columns[at] = field;
    doubtful.push(at);
  };
  const free = () => Object.keys(importFields[kind]).filter((name) => !columns.includes(name));
  for (const [at, present] of columns.entries()) {
    if (present === null || importFields[kind][present]?.kind !== "choice") continue;
    const count = (name: string) =>
      (samples[at] ?? []).filter((text) => isChoice(kind, { name, text }, words)).length;
    const fitting = free().find((name) => count(name) > count(present));
    guess(at, fitting);
  }
  const parts = new Map(
    free().map((name) => [name, knownHeadings(kind, name, words).map(toPlainWords)]),
  );
  for (const [at, heading] of headings.entries()) {
    if (columns[at] === null) guess(at, findWithin(heading, free(), parts));
  }
  return { columns, doubtful };
}

/** Shorter words are part of too many headings. */
const shortest = 4;

/** Returns the field with the longest heading that is part of this one. */
function findWithin(
  heading: string,
  fields: readonly string[],
  parts: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const whole = toPlainWords(heading);
  let [found, length]: [string | undefined, number] = [undefined, shortest + 1];
  for (const field of fields) {
    for (const part of parts.get(field) ?? []) {
      if (part.length <= length || !whole.includes(part)) continue;
      [found, length] = [field, part.length];
    }
  }
  return found;
}

/** " serial number ": words between spaces, so that only whole words match. */
function toPlainWords(text: string): string {
  const words = withoutMarks(text.toLowerCase().replaceAll("ß", "ss")).match(/[\p{L}\p{N}]+/gu);
  return ` ${(words ?? []).join(" ")} `;
}

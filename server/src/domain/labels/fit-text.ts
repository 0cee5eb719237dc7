import type { Size } from "./templates.js";

/** A label line, or the part of a line that fits one row. */
export interface Row<Face> {
  text: string;
  face: Face;
}

export interface FittedText<Face> {
  /** Font size, in the unit of the box. */
  size: number;
  rows: Row<Face>[];
}

/** The width of a text at size 1. */
export type Measure<Face> = (row: Row<Face>) => number;

export const rowHeight = 1.2;
const largest = 11;
const step = 0.5;
const maxRows = 3;

/**
 * Returns the largest size at which all lines fit in at most three rows each. Below the smallest
 * readable size, it truncates lines and drops the last ones.
 */
export function fitText<Face>(
  lines: readonly Row<Face>[],
  box: Size,
  measure: Measure<Face>,
): FittedText<Face> {
  const smallest = box.height < 40 ? 4.5 : 6;
  for (let size = largest; size > smallest; size -= step) {
    const { rows, isWhole } = setRows(lines, box, size, measure);
    if (isWhole) return { size, rows };
  }
  const { rows } = setRows(lines, box, smallest, measure);
  const cutRows = rows.map((row) => {
    const fits = (text: string) => measure({ ...row, text }) * smallest <= box.width;
    return fits(row.text) ? row : { ...row, text: cut(row.text, fits) };
  });
  return { size: smallest, rows: cutRows };
}

/** Doesn't truncate long rows. */
function setRows<Face>(
  lines: readonly Row<Face>[],
  { width, height }: Size,
  size: number,
  measure: Measure<Face>,
): { rows: Row<Face>[]; isWhole: boolean } {
  const room = Math.floor(height / (size * rowHeight));
  const rows: Row<Face>[] = [];
  let isWhole = lines.length <= room;
  for (const [index, { text, face }] of lines.slice(0, room).entries()) {
    const othersToCome = Math.min(lines.length, room) - index - 1;
    const most = Math.min(maxRows, room - rows.length - othersToCome);
    const fits = (part: string) => measure({ text: part, face }) * size <= width;
    const parts = breakText(text, most, fits);
    isWhole &&= fits(parts.at(-1) ?? "");
    rows.push(...parts.map((part) => ({ text: part, face })));
  }
  return { rows, isWhole };
}

function breakText(text: string, most: number, fits: (part: string) => boolean): string[] {
  const rows: string[] = [];
  let rest = text;
  while (rows.length < most - 1 && !fits(rest)) {
    const row = firstWords(rest, fits);
    if (row === "") break;
    rows.push(row);
    rest = rest.slice(row.length).trimStart();
  }
  return [...rows, rest];
}

function firstWords(text: string, fits: (part: string) => boolean): string {
  let row = "";
  for (let end = text.indexOf(" "); end !== -1; end = text.indexOf(" ", end + 1)) {
    if (!fits(text.slice(0, end))) break;
    row = text.slice(0, end);
  }
  return row;
}

function cut(text: string, fits: (part: string) => boolean): string {
  // Splits at grapheme clusters, so accents stay with their letters.
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const start = (length: number) => `${letters.slice(0, length).join("").trimEnd()}…`;
  let fitting = 1;
  let tooLong = letters.length;
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(start(middle))) fitting = middle;
    else tooLong = middle;
  }
  return start(fitting);
}

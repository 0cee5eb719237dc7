import type { Size } from "./templates.js";

/** A row of text on a label; the first text of a label stands out. */
export interface Row {
  text: string;
  bold: boolean;
}

export interface FittedText {
  /** Of the font, in the unit of the box. */
  size: number;
  rows: Row[];
}

/** The width of a text at size 1. */
export type Measure = (text: string, bold: boolean) => number;

export const rowHeight = 1.2;
const largest = 11;
const step = 0.5;
const mostRows = 3;

/**
 * Finds the largest size at which all texts fit, each on at most three rows. Below the smallest size
 * that can be read, texts are cut, and the last ones left out where there is no room for a row.
 */
export function fitText(texts: readonly string[], box: Size, measure: Measure): FittedText {
  const smallest = box.height < 40 ? 4.5 : 6;
  for (let size = largest; size > smallest; size -= step) {
    const { rows, isWhole } = setRows(texts, box, size, measure);
    if (isWhole) return { size, rows };
  }
  return { size: smallest, rows: setRows(texts, box, smallest, measure).rows };
}

function setRows(
  texts: readonly string[],
  { width, height }: Size,
  size: number,
  measure: Measure,
): { rows: Row[]; isWhole: boolean } {
  const room = Math.floor(height / (size * rowHeight));
  const rows: Row[] = [];
  let isWhole = texts.length <= room;
  for (const [index, text] of texts.slice(0, room).entries()) {
    const bold = index === 0;
    const othersToCome = Math.min(texts.length, room) - index - 1;
    const most = Math.min(mostRows, room - rows.length - othersToCome);
    const fits = (part: string) => measure(part, bold) * size <= width;
    const broken = breakText(text, most, fits);
    isWhole &&= broken.isWhole;
    rows.push(...broken.rows.map((part) => ({ text: part, bold })));
  }
  return { rows, isWhole };
}

function breakText(
  text: string,
  most: number,
  fits: (part: string) => boolean,
): { rows: string[]; isWhole: boolean } {
  const rows: string[] = [];
  let rest = text;
  while (rows.length < most - 1 && !fits(rest)) {
    const row = firstWords(rest, fits);
    if (row === "") break;
    rows.push(row);
    rest = rest.slice(row.length).trimStart();
  }
  const last = fits(rest) ? rest : cut(rest, fits);
  return { rows: [...rows, last], isWhole: last === rest };
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
  let length = text.length - 1;
  while (length > 1 && !fits(`${text.slice(0, length).trimEnd()}…`)) length -= 1;
  return `${text.slice(0, length).trimEnd()}…`;
}

import type { Io } from "./io.js";

export interface ResultOptions {
  json?: true;
}

export const json = ["--json", "print JSON, one line per result"] as const;
export const alwaysJson = ["--json", "accepted; this command always prints JSON"] as const;

export interface Column<Row> {
  title: string;
  value: (row: Row) => string | number | null;
  /** For values that people copy, like ids: never shortened. */
  isWhole?: true;
}

const defaultWidth = 80;
const minColumnWidth = 8;
const gap = "  ";

/** Prints a table in a terminal, or `none` if it is empty. Prints JSON Lines elsewhere. */
export function printList<Row extends object>(
  io: Io,
  options: ResultOptions,
  rows: readonly Row[],
  table: { columns: readonly Column<Row>[]; none: string },
): void {
  // A terminal that does not know its width says 0.
  const width = io.output?.columns || defaultWidth;
  const words = rows.length === 0 ? [table.none] : formatTable(rows, table.columns, width);
  printResults(io, options, rows, words);
}

/** A sentence in a terminal, one line of JSON elsewhere. */
export function printResult(
  io: Io,
  options: ResultOptions,
  result: object,
  ...words: string[]
): void {
  printResults(io, options, [result], words);
}

export function printResults(
  io: Io,
  options: ResultOptions,
  results: readonly object[],
  words: readonly string[],
): void {
  const isForPeople = io.output?.isTTY === true && options.json !== true;
  const lines = isForPeople ? words : results.map((result) => JSON.stringify(result));
  for (const line of lines) io.write(line);
}

export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[] {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => toCell(value(row)))),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => lengthOf(line[index] ?? ""))),
  );
  shrink(widths, columns, width);
  return lines.map((line) =>
    line
      .map((cell, index) => fit(cell, widths[index] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Takes from the widest column until all fit, or no column can be narrower. */
function shrink(widths: number[], columns: readonly { isWhole?: true }[], width: number): void {
  const room = width - gap.length * (widths.length - 1);
  let excess = widths.reduce((sum, each) => sum + each, 0) - room;
  for (; excess > 0; excess -= 1) {
    const candidates = widths.filter((_, index) => columns[index]?.isWhole !== true);
    const widest = Math.max(...candidates);
    if (widest <= minColumnWidth) return;
    const index = widths.findIndex((it, at) => it === widest && columns[at]?.isWhole !== true);
    widths[index] = widest - 1;
  }
}

/** Names come from people and apps: nothing in them may move the cursor or reorder the line. */
function toCell(value: string | number | null): string {
  return String(value ?? "-")
    .replace(/\p{Bidi_Control}/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

function fit(cell: string, width: number): string {
  const characters = toCharacters(cell);
  if (characters.length <= width) return cell + " ".repeat(width - characters.length);
  return `${characters.slice(0, width - 1).join("")}…`;
}

function lengthOf(text: string): number {
  return toCharacters(text).length;
}

const segmenter = new Intl.Segmenter("en");

function toCharacters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The day in UTC. */
export function toDay(value: Date | string | null): string | null {
  if (value === null) return null;
  return (typeof value === "string" ? value : value.toISOString()).slice(0, 10);
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

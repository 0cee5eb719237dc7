import { AppError } from "../../errors.js";
import { createPauses } from "../shared/pauses.js";
import {
  guessDelimiter,
  guessEncoding,
  readCsv,
  type Delimiter,
  type Encoding,
  type TableRow,
} from "./read-csv.js";
import { isZip, readXlsx } from "./read-xlsx.js";

export const maxFileBytes = 20_971_520;
export const maxRows = 100_000;
const maxColumns = 200;
/** Maximum characters of all cells. A workbook can repeat a long text many times. */
const maxCharacters = 250_000_000;
/** Longer headings are cut here. */
const maxHeading = 200;
/** Different values of a column that its field is guessed by. */
const samplesPerColumn = 10;
const maxSample = 60;

export type TableFormat =
  { format: "xlsx" } | { format: "csv"; encoding: Encoding; delimiter: Delimiter };

/** The first bytes of pictures and of old Excel files. */
const otherFile = /^(\x89PNG|\xFF\xD8\xFF|GIF8|RIFF....WEBP|II\*\0|MM\0\*|....ftyp|\xD0\xCF.\xE0)/s;

export function guessFormat(file: Buffer): TableFormat {
  if (isZip(file)) return { format: "xlsx" };
  if (otherFile.test(file.toString("latin1", 0, 16))) throw tableError("file_no_table");
  const encoding = guessEncoding(file);
  return { format: "csv", encoding, delimiter: guessDelimiter(file, encoding) };
}

/** Yields the rows of a file, headings first. */
export function readTable(file: Buffer, format: TableFormat): AsyncGenerator<TableRow> {
  return withoutTitles(format.format === "xlsx" ? readXlsx(file) : readCsv(file, format));
}

/** Headings are searched in this many first rows, for tables with this many columns. */
const titlesAtMost = 10;
const wide = 4;

async function* withoutTitles(rows: AsyncGenerator<TableRow>): AsyncGenerator<TableRow> {
  let first: TableRow[] | undefined = [];
  for await (const row of rows) {
    if (first === undefined) yield row;
    else if (first.push(row) === titlesAtMost) {
      yield* fromHeadings(first);
      first = undefined;
    }
  }
  if (first !== undefined) yield* fromHeadings(first);
}

/** Headings fill at least half as many cells as the widest row. Report titles and dates don't. */
function fromHeadings(rows: readonly TableRow[]): readonly TableRow[] {
  const [start = ""] = rows[0]?.cells ?? [];
  if (markup.test(start) || control.test(start)) throw tableError("file_no_table");
  const filled = rows.map(({ cells }) => cells.filter((cell) => cell.trim() !== "").length);
  const widest = Math.max(...filled);
  return widest < wide ? rows : rows.slice(filled.findIndex((count) => count >= widest / 2));
}

/** NUL and other control characters that don't occur in texts. */
const control = /[^\P{Cc}\t\n\v\f\r\u0080-\u009F]/u;
const markup = /^\s*(<[!?a-z]|%PDF|\{\s*"|\{\\rtf)/i;

/**
 * Reads a whole file once. Returns its headings and a few values of each column. Throws if it isn't
 * a table or is too large.
 */
export async function checkTable(
  file: Buffer,
  format: TableFormat,
): Promise<{ headings: string[]; rows: number; samples: string[][] }> {
  let headings: string[] | undefined;
  let samples: Set<string>[] = [];
  let rows = 0;
  let characters = 0;
  const pause = createPauses();
  for await (const { line, cells } of readTable(file, format)) {
    characters += lengthOf(cells);
    if (characters > maxCharacters) throw tableError("file_unpacks_too_large");
    const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    if (filled > maxColumns || cells.length > maxColumns * 5) {
      throw tableError("file_too_many_columns", { max: maxColumns });
    }
    if (cells.some((cell) => control.test(cell))) throw tableError("file_not_readable", { line });
    if (headings === undefined) {
      headings = cells.slice(0, filled).map((cell) => cut(cell, maxHeading));
      samples = headings.map(() => new Set());
    } else {
      rows += 1;
      addSamples(samples, cells);
    }
    if (rows > maxRows) throw tableError("file_too_many_rows", { max: maxRows });
    await pause();
  }
  if (headings === undefined) throw tableError("file_no_table");
  if (rows === 0) throw tableError("file_without_rows");
  return { headings, rows, samples: samples.map((some) => [...some]) };
}

function addSamples(samples: readonly Set<string>[], cells: readonly string[]): void {
  for (const [at, some] of samples.entries()) {
    if (some.size === samplesPerColumn) continue;
    const sample = cut(cells[at] ?? "", maxSample);
    if (sample !== "") some.add(sample);
  }
}

export function lengthOf(cells: readonly string[]): number {
  return cells.reduce((sum, { length }) => sum + length, 0);
}

function cut(cell: string, max: number): string {
  // A character takes at most two code units.
  return Array.from(cell.trim().slice(0, max * 2))
    .slice(0, max)
    .join("");
}

function tableError(
  key:
    | "file_too_many_columns"
    | "file_unpacks_too_large"
    | "file_too_many_rows"
    | "file_not_readable"
    | "file_no_table"
    | "file_without_rows",
  params: object = {},
): AppError {
  return new AppError("validation_failed", key, { field: "file", ...params });
}

import { Readable } from "node:stream";
import { parse as parseStream, CsvError, type InfoRecord, type Parser } from "csv-parse";
import { parse as parseSample } from "csv-parse/sync";
import { AppError } from "../../errors.js";
import { createPauses } from "../shared/pauses.js";

export interface TableRow {
  line: number;
  cells: string[];
  /** Columns with numeric cells. Their values are unambiguous. */
  exact?: Set<number>;
}

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];
export const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];

/** The maximum line number in spreadsheets. */
export const maxLine = 1_048_576;

/** Bytes read without a pause. A line may be a single character. */
const chunkSize = 1024;
const sampleSize = 65_536;

/** Uses the byte order mark, else guesses from the bytes. */
export function guessEncoding(file: Buffer): Encoding {
  if (file.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return "utf-16le";
  if (file.subarray(0, 2).equals(Buffer.from([0xfe, 0xff]))) return "utf-16be";
  const start = file.subarray(0, 1000);
  const zeros = (offset: number) =>
    start.filter((byte, at) => at % 2 === offset && byte === 0).length;
  // In Western texts, every other byte of UTF-16 is zero.
  if (zeros(1) > start.length / 4) return "utf-16le";
  if (zeros(0) > start.length / 4) return "utf-16be";
  return isUtf8(file) ? "utf-8" : "windows-1252";
}

function isUtf8(file: Buffer): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (const chunk of chunksOf(file)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the delimiter with which the first lines have the most columns and mostly equal column
 * counts.
 */
export function guessDelimiter(file: Buffer, encoding: Encoding): Delimiter {
  const text = new TextDecoder(encoding).decode(file.subarray(0, sampleSize), { stream: true });
  const lines = text.split(/\r?\n/).slice(0, 30).join("\n");
  const scored = delimiters.map((delimiter) => {
    const rows = trySample(lines, delimiter).filter((cells) => cells.some((cell) => cell !== ""));
    const lengths = rows.map(({ length }) => length).toSorted((one, other) => one - other);
    const columns = lengths[Math.floor(lengths.length / 2)] ?? 1;
    const alike = rows.filter((cells) => cells.length === columns).length;
    return { delimiter, score: columns < 2 ? 0 : columns * (alike / rows.length) };
  });
  const best = scored.toSorted((left, right) => right.score - left.score)[0];
  return best?.delimiter ?? ",";
}

function trySample(text: string, delimiter: Delimiter): string[][] {
  try {
    return parseSample(text, { delimiter, relax_quotes: true, relax_column_count: true });
  } catch {
    // The sample ends inside a quoted cell.
    return text.split("\n").map((line) => line.split(delimiter));
  }
}

function* chunksOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += chunkSize) yield file.subarray(at, at + chunkSize);
}

function* decode(file: Buffer, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (const chunk of chunksOf(file)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Yields row by row. Empty lines are counted and skipped. */
export async function* readCsv(
  file: Buffer,
  { encoding, delimiter }: { encoding: Encoding; delimiter: Delimiter },
): AsyncGenerator<TableRow> {
  const parser: Parser = parseStream({
    delimiter,
    bom: true,
    info: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: 1_000_000,
    on_record: (parsed: string[]) => {
      // Only the first row sets the number of cells. For each row that differs, the parser creates
      // an error that is never read and takes several times as long as the row.
      Object.assign(parser.info, { records: 0 });
      return parsed;
    },
  });
  const source = Readable.from(decode(file, encoding)).on("error", (error) =>
    parser.destroy(error),
  );
  let before = 0;
  // Readers never see empty lines.
  const pause = createPauses();
  try {
    for await (const parsed of source.pipe(parser)) {
      const { record, info } = parsed as { record: string[]; info: InfoRecord };
      const line = before + 1;
      before = info.lines;
      if (before > maxLine) {
        throw new AppError("validation_failed", "file_too_many_rows", {
          field: "file",
          max: maxLine,
        });
      }
      await pause();
      if (record.some((cell) => cell.trim() !== "")) yield { line, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const details = { field: "file", line: before + 1 };
    throw new AppError("validation_failed", "file_not_readable", details, { cause: error });
  }
}

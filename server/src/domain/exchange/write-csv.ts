import { stringify } from "csv-stringify/sync";
import type { SheetRow } from "./headings.js";

const options = {
  record_delimiter: "\r\n",
  // A single \r or \n is not the record delimiter, and would not be quoted.
  quoted_match: /[\r\n]|^\s|\s$/,
  // "12.345" could be read as 12345, "12.3450" can't.
  cast: { number: (value: number) => String(value).replace(/\.\d{3}$/, "$&0") },
};

/** A table as CSV (RFC 4180), with the mark by which spreadsheets know UTF-8. */
export async function* writeCsv(
  headings: readonly string[],
  batches: AsyncIterable<SheetRow[]>,
): AsyncGenerator<string> {
  yield `\uFEFF${stringify([headings], options)}`;
  for await (const rows of batches) yield stringify(rows, options);
}

import { stringify } from "csv-stringify/sync";
import type { SheetRow } from "./headings.js";

const options = {
  record_delimiter: "\r\n",
  // A single \r or \n is not the record delimiter and would stay unquoted.
  quoted_match: /[\r\n]|^\s|\s$/,
  // "12.345" could be read as 12345, "12.3450" can't.
  cast: { number: (value: number) => String(value).replace(/\.\d{3}$/, "$&0") },
};

/** Yields a table as CSV (RFC 4180), with a byte order mark for spreadsheets. */
export async function* writeCsv(
  headings: readonly string[],
  batches: AsyncIterable<SheetRow[]>,
): AsyncGenerator<string> {
  yield `\uFEFF${stringify([headings], options)}`;
  for await (const rows of batches) yield stringify(rows, options);
}

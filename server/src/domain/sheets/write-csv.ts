import { stringify } from "csv-stringify/sync";
import type { SheetRow } from "./headings.js";

/** A table as CSV, with the mark by which spreadsheets know UTF-8. */
export async function* writeCsv(
  headings: readonly string[],
  batches: AsyncIterable<SheetRow[]>,
): AsyncGenerator<string> {
  yield `\uFEFF${stringify([headings], { record_delimiter: "\r\n" })}`;
  for await (const rows of batches) {
    yield stringify(rows, { record_delimiter: "\r\n" });
  }
}

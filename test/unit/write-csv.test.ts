import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "../../server/src/domain/exchange/read-csv.js";
import { toCell } from "../../server/src/domain/exchange/cell-texts.js";
import type { SheetRow } from "../../server/src/domain/exchange/headings.js";
import { writeCsv } from "../../server/src/domain/exchange/write-csv.js";
import { readStrictCsv } from "../support/strict-csv.js";

async function write(rows: SheetRow[]): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writeCsv(["A", "B"], batches(rows))) pieces.push(piece);
  return pieces.join("").slice(1);
}

async function* batches(rows: SheetRow[]) {
  yield* await Promise.resolve([rows]);
}

async function readByImport(text: string): Promise<string[][]> {
  const rows: string[][] = [];
  const format = { encoding: "utf-8", delimiter: "," } as const;
  for await (const { cells } of readCsv(Buffer.from(text), format)) rows.push(cells);
  return rows;
}

const hostile = fc.string({
  unit: fc.constantFrom("a", " ", "\n", "\r", '"', ",", ";", "\t", "=", "'", "1", ".", "ä"),
});

test("any text survives a strict reader and the import", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(hostile, hostile), { maxLength: 4 }), async (texts) => {
      const rows = texts.map((row) => row.map((text) => toCell("description", text)));
      const text = await write(rows);

      expect(readStrictCsv(text)).toEqual([["A", "B"], ...rows]);
      const filled = rows.filter((row) => row.some((cell) => String(cell).trim() !== ""));
      expect(await readByImport(text)).toEqual([["A", "B"], ...filled]);
    }),
  );
});

test("writes numbers with only one possible reading", async () => {
  expect(await write([[12.345, 0.5]])).toBe("A,B\r\n12.3450,0.5\r\n");
});

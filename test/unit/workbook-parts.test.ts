import { strToU8, Zip, ZipDeflate } from "fflate";
import { expect, test } from "vitest";
import { unpack } from "../../server/src/domain/exchange/workbook-parts.js";

/** A few KB that unpack to many repetitions of the text. */
function aWorkbookOf(text: string, megabytes: number): Buffer {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((_error, piece) => pieces.push(piece));
  const part = new ZipDeflate("xl/worksheets/sheet1.xml", { level: 1 });
  zip.add(part);
  const million = strToU8(text.repeat(Math.ceil(1_000_000 / text.length)));
  for (let count = 0; count < megabytes; count += 1) part.push(million, count === megabytes - 1);
  zip.end();
  return Buffer.concat(pieces);
}

const readAll = (file: Buffer) => Array.from(unpack(file, () => () => undefined)).length;

test.each([
  ["cells", "<c><v>1</v></c>", 80],
  ["empty elements", "<c/>", 81],
  ["attributes", '<c r="A" s="1"/>', 110],
])("LIM-37 rejects a workbook with too many small %s", (_, text, megabytes) => {
  expect(() => readAll(aWorkbookOf(text, megabytes))).toThrow(
    expect.objectContaining({ key: "file_unpacks_too_large" }),
  );
});

test("accepts a workbook with 100,000 rows of 20 text cells", () => {
  const cell = '<c r="AA100000" s="12" t="s"><v>100000</v></c>';
  expect(readAll(aWorkbookOf(cell, 2 * cell.length))).toBeGreaterThan(0);
});

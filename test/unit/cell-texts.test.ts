import { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromGuarded, toCell } from "../../server/src/domain/exchange/cell-texts.js";
import { writeCsv } from "../../server/src/domain/exchange/write-csv.js";

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("=+-@＝＋－＠'\"; \t\r\na1")) }),
  fc.string({ unit: "grapheme" }),
);

test("escapes formulas in every part of a cell, whichever separator splits it", () => {
  expect(toCell("name", "Valve;=WEBSERVICE(B1);x")).toBe("Valve;'=WEBSERVICE(B1);x");
  expect(toCell("description", "Check:\n@SUM(A1)")).toBe("Check:\n'@SUM(A1)");
  fc.assert(
    fc.property(texts, (text) => {
      // Texts are stored trimmed.
      const [first = "", ...more] = String(toCell("name", text.trim())).split(/[;\t\r\n]/);
      for (const part of [first, ...more.map((one) => one.replace(/^[ "]*/, ""))]) {
        expect(part.replace(/^ */, "")).not.toMatch(/^[=+\-@＝＋－＠]/);
      }
    }),
  );
});

test("OPS-24 escapes a quoted formula where semicolons separate cells", async () => {
  const text = 'Pump;"=WEBSERVICE(B1);x';
  const rows = Readable.from([[["A-1", toCell("name", text), "In use"]]]);
  const file = await readText(Readable.from(writeCsv(["Number", "Name", "State"], rows)));
  const line = file.slice(file.indexOf("\n") + 1);

  // A spreadsheet removes quotes at the beginning of a cell.
  const cells = line.split(";").map((cell) => cell.replace(/^"+/, ""));
  expect(cells).toEqual(['A-1,"Pump', "'=WEBSERVICE(B1)", 'x",In use\r\n']);
  expect(fromGuarded(String(toCell("name", text)))).toBe(text);
});

test("restores escaped export text exactly", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(fromGuarded(String(toCell("name", text)))).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { fromGuarded, toCell } from "../../server/src/domain/sheets/cell-texts.js";

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("=+-@＝＋－＠'; \t\r\na1")) }),
  fc.string({ unit: "grapheme" }),
);

test("no part of a cell begins a formula, whatever divides cells where it is opened", () => {
  expect(toCell("name", "Valve;=WEBSERVICE(B1);x")).toBe("Valve;'=WEBSERVICE(B1);x");
  expect(toCell("description", "Check:\n@SUM(A1)")).toBe("Check:\n'@SUM(A1)");
  fc.assert(
    fc.property(texts, (text) => {
      // Texts are stored without spaces around them.
      for (const part of String(toCell("name", text.trim())).split(/[;\t\r\n]/)) {
        expect(part.replace(/^ */, "")).not.toMatch(/^[=+\-@＝＋－＠]/);
      }
    }),
  );
});

test("what was marked in an export comes back as it was", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(fromGuarded(String(toCell("name", text)))).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

import { afterEach, expect, test, vi } from "vitest";
import { requireAnswer } from "../../server/src/domain/access/confirmations.js";
import { toFileName } from "../../server/src/domain/files/file-types.js";
import { findDiffering } from "../../server/src/domain/exchange/compare-row.js";
import { guessColumns } from "../../server/src/domain/exchange/import-kinds.js";
import { importWords } from "../../server/src/web/exchange/import-words.js";
import { toSkeleton } from "../../server/src/domain/shared/look-alikes.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Sorting the marks of one letter takes quadratic time: minutes for half a megabyte. */
test.each<[string, (pile: string) => void]>([
  [
    "typed to confirm",
    (pile) => {
      expect(() => {
        requireAnswer({ answer: "Pump" }, pile);
      }).toThrow("wrong_answer");
    },
  ],
  ["in the name of a file", (pile) => toFileName(pile, "text/plain")],
  ["heading a column", (pile) => guessColumns("assets", [pile], importWords())],
  ["in a row of a file", (pile) => findDiffering({ name: pile }, { name: "Pump" })],
  ["in the name of an app", toSkeleton],
])("LIM-44: doesn't sort a pile of marks %s", (_where, read) => {
  const normalize = vi.spyOn(String.prototype, "normalize");

  read(`Pump${"\u0301\u0316".repeat(500)}`);

  const sorted = normalize.mock.contexts.filter((text) => /\p{M}{31}/u.test(String(text)));
  expect(sorted).toEqual([]);
});

test("a name under a pile of marks still matches Fettle", () => {
  expect(toSkeleton(`F${"\u0301".repeat(40)}éttle`)).toBe(toSkeleton("Fettle"));
});

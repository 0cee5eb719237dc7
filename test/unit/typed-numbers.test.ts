import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inLocale, locales, type Locale } from "../../server/src/language/locale.js";
import { readMinutes, readNumber, writeNumber } from "../../server/src/web/forms/typed-numbers.js";

function readAll(locale: Locale, texts: readonly string[]) {
  return inLocale(locale, () => texts.map(readNumber));
}

describe("typed number", () => {
  test("uses the separators of its language, or others if unambiguous", () => {
    const clear = ["1249.9", "1249,90", "1,249.90", "1.249,90", " 1 249,90 ", "1’249.90"];
    for (const locale of locales) {
      expect(readAll(locale, clear), locale).toEqual(clear.map(() => 1249.9));
    }
    expect(readAll("en-GB", ["0", "1,249,000", "0.125", "12,5"])).toEqual([
      0, 1_249_000, 0.125, 12.5,
    ]);
    expect(readAll("de-DE", ["1.249", "1.249.000", "0,125", "0.125", "12.5"])).toEqual([
      ...[1249, 1_249_000, 0.125, 0.125, 12.5],
    ]);
  });

  test("is rejected if ambiguous or invalid", () => {
    expect(readAll("en-GB", ["120,500"])).toEqual([undefined]);
    const wrong = [
      "",
      "-1",
      "1e3",
      "12.34.56",
      "1,24,900",
      "1.249,90,1",
      "1 2",
      "0x1f",
      "12 €",
      ",",
    ];
    for (const locale of locales) {
      expect(readAll(locale, wrong), locale).toEqual(wrong.map(() => undefined));
    }
  });

  test("is read back as written in each language", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e12 }),
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom(...locales),
        (digits, decimals, locale) => {
          const number = Number((digits / 10 ** decimals).toFixed(decimals));
          expect(inLocale(locale, () => readNumber(writeNumber(number)))).toBe(number);
        },
      ),
    );
  });
});

test("accepts minutes as hours and minutes", () => {
  expect(["90", "1:30", " 0:05 ", "100:00"].map(readMinutes)).toEqual([90, 90, 5, 6000]);
  const words = ["1h30", "1 h 30 min", "2H", "1h5", "45 min", "1\u00A0h\u00A030\u00A0min"];
  expect(words.map(readMinutes)).toEqual([90, 90, 120, 65, 45, 90]);
  expect(["1h60", "1h 30 s", "h30", "1h:30"].map(readMinutes)).toEqual(Array(4).fill(undefined));
  expect(["1:60", "1:3", ":30", "1.5", "-5", "1:30:00", ""].map(readMinutes)).toEqual(
    Array.from({ length: 7 }, () => undefined),
  );
});

import { describe, expect, test } from "vitest";
import { toFileName } from "../../server/src/domain/files/file-types.js";
import { cleanText, toNfc } from "../../server/src/domain/shared/text.js";
import { worded } from "../support/refusals.js";

const rule = { field: "name", max: 20 };

const clean: typeof cleanText = (value, rule) => worded(() => cleanText(value, rule));

describe("text from people and apps", () => {
  test.each([
    ["  Pump 7  ", "Pump 7"],
    ["Cafe\u0301", "Café"],
    ["😀".repeat(20), "😀".repeat(20)],
    ["👩‍🔧 team", "👩‍🔧 team"],
    ["می‌خواهم", "می‌خواهم"],
    ["1\uFE0F\u20E3 \u2764\uFE0F\u200D\u{1F525}", "1\uFE0F\u20E3 \u2764\uFE0F\u200D\u{1F525}"],
    ["\u845B\u{E0100}\u57CE", "\u845B\u{E0100}\u57CE"],
    ["\u182A\u180B", "\u182A\u180B"],
    ["מַשְׁאֵבָה", "מַשְׁאֵבָה".normalize("NFC")],
  ])("keeps %j as %j", (given, kept) => {
    expect(cleanText(given, rule)).toBe(kept);
  });

  test.each([
    ["nothing", "   ", "name must not be empty"],
    ["a text too long", "x".repeat(21), "name must have at most 20 characters"],
    ["a line break", "a\nb", "name must be one line without control characters"],
    ["NUL", "a\0b", "name must be one line without control characters"],
    ["a C1 control", "a\u0085b", "name must be one line without control characters"],
    ["a zero-width space", "a\u200Bb", "name must not contain invisible characters"],
    ["a joiner between letters", "a\u200Db", "name must not contain invisible characters"],
    ["a word joiner", "a\u2060b", "name must not contain invisible characters"],
    ["an override", "invoice\u202Efdp.exe", "name must not contain invisible characters"],
    ["an isolate", "a\u2066b", "name must not contain invisible characters"],
    ["a byte order mark", "a\uFEFFb", "name must not contain invisible characters"],
    ["tag characters", "a\u{E0041}b", "name must not contain invisible characters"],
    ["a filler", "a\u3164b", "name must not contain invisible characters"],
    ["a blank of Braille", "\u2800", "name must not contain invisible characters"],
    ["the same after a word", "Claude\u2800", "name must not contain invisible characters"],
    ["a note without a head", "\u{1D159}", "name must not contain invisible characters"],
    ["an annotation", "a\uFFF9b\uFFFBc", "name must not contain invisible characters"],
    ["a selector after a letter", "a\uFE01b", "name must not contain invisible characters"],
    ["a selector of no form", "\u845B\u{E01EF}", "name must not contain invisible characters"],
    ["several selectors", "\u2764\uFE0F\uFE01", "name must not contain invisible characters"],
    ["a selector of nothing", "\uFE0F", "name must not contain invisible characters"],
    ["half a character", "a\uD800b", "name must not contain broken characters"],
  ])("rejects %s", (_what, given, message) => {
    expect(() => clean(given, rule)).toThrow(`Validation failed: ${message}.`);
  });

  test("keeps a braille blank between braille characters", () => {
    expect(clean("\u2801\u2803\u2800\u2809", rule)).toBe("\u2801\u2803\u2800\u2809");
  });

  test("removes invisible characters from file names", () => {
    const hidden = String.fromCodePoint(0xe0121, 0xe0122);

    expect(toFileName(`leak${hidden}\u3164.jpg`, "image/jpeg")).toBe("leak.jpg");
  });

  test("allows line breaks and tabs in multiline text, and normalizes line breaks", () => {
    const notes = { field: "notes", max: 50, multiline: true };

    expect(cleanText("one\r\ntwo\rthree\n\tfour", notes)).toBe("one\ntwo\nthree\n\tfour");
    expect(() => clean("a\u0007b", notes)).toThrow("notes must not contain control characters");
  });

  test("an error has the field for programs and the label for people", () => {
    expect(() => clean("ab", { field: "org", label: "organization", max: 5, min: 3 })).toThrow(
      expect.objectContaining({
        field: "org",
        code: "validation_failed",
        message: "Validation failed: organization must have at least 3 characters.",
      }),
    );
  });

  test("rejects excessive marks on a letter and keeps as many as scripts need", () => {
    const long = { field: "notes", max: 10_000 };

    expect(cleanText(`a${"\u0316".repeat(20)}`, long)).toBe(`a${"\u0316".repeat(20)}`);
    expect(() => clean(`a${"\u0301\u0316".repeat(500)}`, long)).toThrow(
      "notes must not have more than 30 marks on one letter",
    );
  });

  test("measures text in its stored form", () => {
    const spelled = "\u1F82".repeat(20).normalize("NFD");

    expect(spelled).toHaveLength(80);
    expect(cleanText(` ${spelled} `, rule)).toBe("\u1F82".repeat(20));
  });

  test("doesn't normalize overlong text or piles of marks", () => {
    const long = "e\u0301".repeat(1000);
    const pile = `e${"\u0316\u0301".repeat(40)}`;

    expect(toNfc(long, 1999)).toBe(long);
    expect(toNfc(long, 2000)).toBe("\u00e9".repeat(1000));
    expect(toNfc(pile)).toBe(pile);
  });
});

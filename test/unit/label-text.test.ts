import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasGlyphs } from "../../server/src/domain/labels/embedded-fonts.js";
import { faceOf } from "../../server/src/domain/labels/font-faces.js";
import { fitText, rowHeight, type Measure } from "../../server/src/domain/labels/fit-text.js";
import { isWinAnsi, toPrintable } from "../../server/src/domain/labels/printable-text.js";
import { toVisualRuns } from "../../server/src/domain/labels/visual-order.js";

describe("printable label text", () => {
  test.each([
    "Kühlgerät – „Süd“ €",
    "Łódź, wciągarka żółta",
    "Příliš žluťoučký kůň",
    "İzmir, Đà Nẵng, Ơ",
    "Αντλία θερμότητας Ύ",
    "Насос циркуляційний № 3, їжак, Ґ",
    "Ջերմային պոմպ",
    "სატუმბო სადგური",
    "مُضَخَّة المياه (B-12) رقم ٣٤٥",
    "می\u200cخواهم",
    "משאבה 12 ־ ירוק",
    "−20 ℃ ≤ 1″ → ⌀ 5 ⚙",
  ])("prints %s unchanged", (name) => {
    expect(toPrintable(name)).toBe(name);
  });

  test.each([
    ["Boiler 🔥 B1 👩‍🔧", "Boiler B1"],
    ["Насос ⚡ 😀 1", "Насос 1"],
    ["Ventil ⚙\ufe0f 3", "Ventil ⚙ 3"],
    ["Ｆｕｌｌ ｗｉｄｔｈ", "Full width"],
    ["Pump\u202f3", "Pump 3"],
  ])("prints %s as %s", (name, printed) => {
    expect(toPrintable(name)).toBe(printed);
  });

  test.each(["泵 12", "ポンプ A-3", "펌프", "ปั๊ม", "पंप 3", "Насос 泵", "🔥", "😀", ""])(
    "doesn't print any part of %s",
    (name) => {
      expect(toPrintable(name)).toBeUndefined();
    },
  );
});

/**
 * From Latin to N'Ko, with all marks, joiners and digits, plus characters that no font here has.
 */
const scriptsOfTheFont = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7ff }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom(
    "a",
    "ب",
    "ל",
    "ا",
    "לּ",
    "\u200c",
    "\u200d",
    "ກໍ່",
    "ⴰ",
    "ᐊ",
    "ᚁ",
    "泵",
    "🔥",
    " ",
    "(",
    "1",
  ),
);

describe("label fonts", () => {
  test.each([
    ["Kühlgerät – „Süd“ €", "Helvetica-Bold", "ltr"],
    ["Żuraw", "DejaVuSans-Bold", "ltr"],
    ["Насос", "DejaVuSans-Bold", "ltr"],
    ["משאבה B-12", "DejaVuSans-Bold", "rtl"],
    ["B-12 משאבה", "DejaVuSans-Bold", "ltr"],
    // A Uyghur letter without a bold form.
    ["پمپ ۱۲ ݐ", "DejaVuSans", "rtl"],
  ])("print %s in %s, %s", (line, name, direction) => {
    expect(faceOf(line, true)).toMatchObject({ name, direction });
  });

  test("cover every printable character and measure its layout", () => {
    fc.assert(
      fc.property(fc.string({ unit: scriptsOfTheFont }), (text) => {
        const line = toPrintable(text) ?? "";
        const { embedded, direction } = faceOf(line, true);
        expect(embedded === undefined ? isWinAnsi(line) : hasGlyphs(line)).toBe(true);
        if (embedded === undefined) return;
        const { advanceWidth } = embedded.layout(line, [direction === "rtl" ? "rtla" : "ltra"]);
        expect(embedded.widthOf(line, direction) * embedded.unitsPerEm).toBeCloseTo(advanceWidth);
      }),
    );
  });
});

describe("visual order of a row", () => {
  test.each([
    ["Насос 12 (B)", "ltr", "Насос 12 (B)"],
    ["מש 12", "rtl", "12 שמ"],
    ["מש (B-12) אב", "rtl", "בא (B-12) שמ"],
    ["Pump אב גד 12 (הו) end", "ltr", "Pump (וה) 12 דג בא end"],
    ["مض ٣٤٥ لا", "rtl", "ال ٣٤٥ ضم"],
    ["۱۲۳ آب", "rtl", "بآ ۱۲۳"],
    ["B-12 (א)", "rtl", "(א) B-12"],
  ] as const)("is correct for %s, %s", (row, direction, seen) => {
    const runs = toVisualRuns(row, direction);

    const reversed = (text: string) => Array.from(text).reverse().join("");
    expect(
      runs.map((run) => (run.direction === "rtl" ? reversed(run.text) : run.text)).join(""),
    ).toBe(seen);
  });

  test("keeps every character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "1", "א", "ب", "٣", "(", ")", "-", " ", "\u0651") }),
        fc.constantFrom("ltr" as const, "rtl" as const),
        (row, direction) => {
          const seen = toVisualRuns(row, direction).map(({ text }) => text);

          const sorted = (text: string) => Array.from(text.replaceAll(")", "(")).sort().join("");
          expect(sorted(seen.join(""))).toBe(sorted(row));
        },
      ),
    );
  });
});

describe("text on a label", () => {
  /** Every character is half as wide as high. */
  const measure: Measure<string> = ({ text }) => Array.from(text).length / 2;
  const toLines = (texts: readonly string[]) =>
    texts.map((text, index) => ({ text, face: index === 0 ? "bold" : "regular" }));
  const box = { width: 60, height: 45 };

  test("is large where there is room", () => {
    expect(fitText(toLines(["Pump", "434-1"]), box, measure)).toEqual({
      size: 11,
      rows: [
        { text: "Pump", face: "bold" },
        { text: "434-1", face: "regular" },
      ],
    });
  });

  test("wraps to a second row between words", () => {
    const { rows } = fitText(toLines(["Main air compressor"]), box, measure);

    expect(rows.map(({ text }) => text)).toEqual(["Main air", "compressor"]);
  });

  test("is cut if even the smallest size is too large", () => {
    const { rows } = fitText(toLines(["x".repeat(200), "434-1"]), box, measure);

    expect(rows.map(({ text }) => text)).toEqual([`${"x".repeat(19)}…`, "434-1"]);
  });

  test("is cut between letters, not between a letter and its accents", () => {
    const { rows } = fitText(
      toLines(["q\u0307\u0323".repeat(60)]),
      { width: 60, height: 8 },
      measure,
    );

    expect(rows[0]?.text).toMatch(/^(q\u0307\u0323)+…$/);
  });

  test("stays inside its box", () => {
    const texts = fc.array(fc.string({ minLength: 1, maxLength: 60 }), {
      minLength: 1,
      maxLength: 4,
    });
    const boxes = fc.record({
      width: fc.double({ min: 20, max: 200, noNaN: true }),
      height: fc.double({ min: 6, max: 120, noNaN: true }),
    });
    fc.assert(
      fc.property(texts, boxes, (given, space) => {
        const { size, rows } = fitText(toLines(given), space, measure);

        expect(rows.length * size * rowHeight).toBeLessThanOrEqual(space.height + 1e-9);
        for (const row of rows) {
          expect(measure(row) * size).toBeLessThanOrEqual(space.width + 1e-9);
        }
      }),
    );
  });
});

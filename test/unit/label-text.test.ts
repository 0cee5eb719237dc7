import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitText, rowHeight, type Measure } from "../../server/src/domain/labels/fit-text.js";
import { toPrintable } from "../../server/src/domain/labels/printable-text.js";

describe("what a label can print", () => {
  test.each([
    ["Kühlgerät № 2 – „Süd“", "Kühlgerät No 2 – „Süd“"],
    ["Łódź, Škoda, İzmir, Đà Nẵng", "Lódz, Škoda, Izmir, Dà Nang"],
    ["Boiler 🔥 B1 👩‍🔧", "Boiler B1"],
    ["Ｆｕｌｌ ｗｉｄｔｈ", "Full width"],
    ["−20 ℃ ≤ 1″", "-20 °C <= 1''"],
  ])("%s becomes %s", (name, printed) => {
    expect(toPrintable(name)).toBe(printed);
  });

  test.each(["مضخة 3", "משאבה", "泵 12", "ポンプ A-3", "Насос 12", "Αντλία", "٣٤", "🔥", ""])(
    "%s is not printed in part",
    (name) => {
      expect(toPrintable(name)).toBeUndefined();
    },
  );
});

describe("text on a label", () => {
  /** Every character as wide as half its height. */
  const measure: Measure = (text) => Array.from(text).length / 2;
  const box = { width: 60, height: 45 };

  test("is large where there is room", () => {
    expect(fitText(["Pump", "434-1"], box, measure)).toEqual({
      size: 11,
      rows: [
        { text: "Pump", bold: true },
        { text: "434-1", bold: false },
      ],
    });
  });

  test("goes on a second row between words", () => {
    const { rows } = fitText(["Main air compressor"], box, measure);

    expect(rows.map(({ text }) => text)).toEqual(["Main air", "compressor"]);
  });

  test("is cut where even the smallest size is too large", () => {
    const { rows } = fitText(["x".repeat(200), "434-1"], box, measure);

    expect(rows.map(({ text }) => text)).toEqual([`${"x".repeat(19)}…`, "434-1"]);
  });

  test("never leaves its box", () => {
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
        const { size, rows } = fitText(given, space, measure);

        expect(rows.length * size * rowHeight).toBeLessThanOrEqual(space.height + 1e-9);
        for (const { text, bold } of rows) {
          expect(measure(text, bold) * size).toBeLessThanOrEqual(space.width + 1e-9);
        }
      }),
    );
  });
});

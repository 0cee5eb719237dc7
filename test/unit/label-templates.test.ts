import { describe, expect, test } from "vitest";
import { createQrCode, quietZone, toEncodedUrl } from "../../server/src/domain/labels/qr-codes.js";
import { countPages } from "../../server/src/domain/labels/sheet.js";
import {
  labelBox,
  labelsPerPage,
  labelTemplateNames,
  labelTemplates,
  layOutLabel,
  type Box,
  type Size,
} from "../../server/src/domain/labels/templates.js";

const tolerance = 0.001;

function isInside(box: Box, { width, height }: Size): boolean {
  return (
    box.x >= -tolerance &&
    box.y >= -tolerance &&
    box.x + box.width <= width + tolerance &&
    box.y + box.height <= height + tolerance
  );
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x + one.width > other.x + tolerance &&
    other.x + other.width > one.x + tolerance &&
    one.y + one.height > other.y + tolerance &&
    other.y + other.height > one.y + tolerance
  );
}

const templates = labelTemplateNames.map((name) => ({ name, template: labelTemplates[name] }));

describe.each(templates)("$name", ({ template }) => {
  const boxes = Array.from({ length: labelsPerPage(template) }, (_, n) => labelBox(template, n));

  test("fits its labels on the page without overlap", () => {
    for (const [n, box] of boxes.entries()) {
      expect(isInside(box, template.page), `label ${n}`).toBe(true);
      expect(boxes.slice(n + 1).some((other) => overlap(box, other))).toBe(false);
    }
  });

  test("has equal margins left and right, and top and bottom", () => {
    const last = boxes.at(-1);

    const right = template.page.width - (last?.x ?? 0) - (last?.width ?? 0);
    const bottom = template.page.height - (last?.y ?? 0) - (last?.height ?? 0);

    expect(template.first.x).toBeCloseTo(right, 1);
    expect(template.first.y).toBeCloseTo(bottom, 1);
  });

  test("has room for a code with its quiet zone, and separate room for text", () => {
    const { code, text } = layOutLabel(template);

    expect(code.width).toBe(code.height);
    expect(isInside(code, template.label)).toBe(true);
    expect(isInside(text, template.label)).toBe(true);
    expect(overlap(code, text)).toBe(false);
    expect(Math.min(text.width, text.height)).toBeGreaterThan(8);
  });

  test("has code squares of at least 0.25 mm for hosts up to 38 characters", () => {
    const url = toEncodedUrl(`https://${"h".repeat(30)}.example`, "0123456789ab");
    const { code } = layOutLabel(template);

    const square = code.width / (createQrCode(url).size + 2 * quietZone);

    expect(square).toBeGreaterThan(0.25);
  });
});

test("sheets have the manufacturer's number of labels", () => {
  const counts = templates.map(({ name, template }) => [name, labelsPerPage(template)]);

  expect(Object.fromEntries(counts)).toEqual({
    avery_l7160: 21,
    avery_l7162: 16,
    avery_l7163: 14,
    avery_l4731: 189,
    avery_5160: 30,
    avery_5163: 10,
    avery_22806: 12,
    dymo_30252: 1,
    brother_24mm: 1,
    brother_62mm: 1,
    single_50x25mm: 1,
  });
});

test.each([
  { skip: 0, labels: 21, pages: 1 },
  { skip: 0, labels: 22, pages: 2 },
  { skip: 20, labels: 1, pages: 1 },
  { skip: 20, labels: 2, pages: 2 },
])("$labels labels after $skip used ones take $pages pages of 21", ({ pages, ...rest }) => {
  expect(countPages({ template: labelTemplates.avery_l7160, ...rest })).toBe(pages);
});

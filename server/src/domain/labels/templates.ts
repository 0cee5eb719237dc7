/**
 * Sheets and tapes in millimetres, as specified by their makers. Tapes and rolls have one label per
 * page.
 */
export interface LabelTemplate {
  page: Size;
  columns: number;
  rows: number;
  /** Printable area. Smaller than the label on tapes and rolls, because printers leave a margin. */
  label: Size;
  first: Point;
  /** Distance between the corners of adjacent labels. */
  pitch: Point;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export type Box = Size & Point;

const a4 = { width: 210, height: 297 };
const letter = { width: 215.9, height: 279.4 };

/** Links contain the index of a name, so append new names at the end. */
export const labelTemplateNames = [
  "avery_l7160",
  "avery_l7162",
  "avery_l7163",
  "avery_l4731",
  "avery_5160",
  "avery_5163",
  "avery_22806",
  "dymo_30252",
  "brother_24mm",
  "brother_62mm",
  "single_50x25mm",
] as const;

export type LabelTemplateName = (typeof labelTemplateNames)[number];

export const labelTemplates: Record<LabelTemplateName, LabelTemplate> = {
  avery_l7160: {
    page: a4,
    columns: 3,
    rows: 7,
    label: { width: 63.5, height: 38.1 },
    first: { x: 7.21, y: 15.15 },
    pitch: { x: 66.04, y: 38.1 },
  },
  avery_l7162: {
    page: a4,
    columns: 2,
    rows: 8,
    label: { width: 99.1, height: 33.9 },
    first: { x: 4.65, y: 12.9 },
    pitch: { x: 101.6, y: 33.9 },
  },
  avery_l7163: {
    page: a4,
    columns: 2,
    rows: 7,
    label: { width: 99.1, height: 38.1 },
    first: { x: 4.65, y: 15.15 },
    pitch: { x: 101.6, y: 38.1 },
  },
  avery_l4731: {
    page: a4,
    columns: 7,
    rows: 27,
    label: { width: 25.4, height: 10 },
    first: { x: 8.6, y: 13.5 },
    pitch: { x: 27.9, y: 10 },
  },
  avery_5160: {
    page: letter,
    columns: 3,
    rows: 10,
    label: { width: 66.675, height: 25.4 },
    first: { x: 4.7625, y: 12.7 },
    pitch: { x: 69.85, y: 25.4 },
  },
  avery_5163: {
    page: letter,
    columns: 2,
    rows: 5,
    label: { width: 101.6, height: 50.8 },
    first: { x: 3.96875, y: 12.7 },
    pitch: { x: 106.3625, y: 50.8 },
  },
  avery_22806: {
    page: letter,
    columns: 3,
    rows: 4,
    label: { width: 50.8, height: 50.8 },
    first: { x: 15.875, y: 15.875 },
    pitch: { x: 66.675, y: 65.6167 },
  },
  dymo_30252: onePerPage({ width: 89, height: 28 }, { x: 4, y: 1 }),
  brother_24mm: onePerPage({ width: 70, height: 24 }, { x: 2, y: 3 }),
  brother_62mm: onePerPage({ width: 62, height: 29 }, { x: 1.5, y: 3 }),
  single_50x25mm: onePerPage({ width: 50, height: 25 }, { x: 1, y: 1 }),
};

function onePerPage(page: Size, edge: Point): LabelTemplate {
  const label = { width: page.width - 2 * edge.x, height: page.height - 2 * edge.y };
  return { page, columns: 1, rows: 1, label, first: edge, pitch: { x: 0, y: 0 } };
}

export function labelsPerPage({ columns, rows }: LabelTemplate): number {
  return columns * rows;
}

export function labelBox({ columns, first, pitch, label }: LabelTemplate, n: number): Box {
  return {
    x: first.x + (n % columns) * pitch.x,
    y: first.y + Math.floor(n / columns) * pitch.y,
    ...label,
  };
}

const largestCode = 40;
const textBelowCode = 15;

/**
 * Boxes of code and text, relative to the label's corner. They are side by side, or text below code
 * on square labels. The code's box includes the quiet zone, which separates it from edge and text.
 */
export function layOutLabel({ label: { width, height } }: LabelTemplate): { code: Box; text: Box } {
  const edge = Math.min(2, height * 0.06);
  if (width < height * 1.3) {
    const side = Math.min(width, height - textBelowCode, largestCode);
    return {
      code: { x: (width - side) / 2, y: 0, width: side, height: side },
      text: { x: edge, y: side, width: width - 2 * edge, height: height - side - edge },
    };
  }
  const side = Math.min(height, width * 0.45, largestCode);
  return {
    code: { x: 0, y: (height - side) / 2, width: side, height: side },
    text: { x: side, y: edge, width: width - side - edge, height: height - 2 * edge },
  };
}

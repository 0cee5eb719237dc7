import type PDFDocument from "pdfkit";
import { embeddedFontFor, type DirectionFeature, type EmbeddedFont } from "./embedded-fonts.js";
import { isWinAnsi } from "./printable-text.js";
import { directionOf, type Direction } from "./visual-order.js";

export interface Face {
  name: string;
  /** Set for fonts that PDF readers may not have. */
  embedded?: EmbeddedFont;
  direction: Direction;
}

type Document = InstanceType<typeof PDFDocument>;

/**
 * Embeds fonts only for lines that need them, because embedded fonts make a sheet larger and
 * slower.
 */
export function faceOf(line: string, isBold: boolean): Face {
  if (isWinAnsi(line)) {
    return { name: isBold ? "Helvetica-Bold" : "Helvetica", direction: "ltr" };
  }
  const embedded = embeddedFontFor(line, isBold ? "bold" : "regular");
  return { name: embedded.postscriptName, embedded, direction: directionOf(line) };
}

export function useFace(document: Document, { name, embedded }: Face, size: number): Document {
  // pdfkit's types don't allow opened fonts. It caches them by name.
  return document.font((embedded ?? name) as string, name, size);
}

/** Pass it with every text. Without features, pdfkit lays out word by word from left to right. */
export function featuresOf({ direction }: Face): DirectionFeature[] {
  return [direction === "rtl" ? "rtla" : "ltra"];
}

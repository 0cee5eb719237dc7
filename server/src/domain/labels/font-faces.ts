import type PDFDocument from "pdfkit";
import { embeddedFontFor, type DirectionFeature, type EmbeddedFont } from "./embedded-fonts.js";
import { isWinAnsi } from "./printable-text.js";
import { directionOf, type Direction } from "./visual-order.js";

/** How a line is printed, also where it is broken into rows. */
export interface Face {
  name: string;
  /** Where readers do not have one of that name. */
  embedded?: EmbeddedFont;
  direction: Direction;
}

type Document = InstanceType<typeof PDFDocument>;

/** Fonts are only embedded for lines that need them: they make a sheet larger and slower. */
export function faceOf(line: string, isBold: boolean): Face {
  if (isWinAnsi(line)) {
    return { name: isBold ? "Helvetica-Bold" : "Helvetica", direction: "ltr" };
  }
  const embedded = embeddedFontFor(line, isBold ? "bold" : "regular");
  return { name: embedded.postscriptName, embedded, direction: directionOf(line) };
}

export function useFace(document: Document, { name, embedded }: Face, size: number): Document {
  // The types of pdfkit do not know that it takes opened fonts; it finds them again by the name.
  return document.font((embedded ?? name) as string, name, size);
}

/** To be passed with every text: without any, pdfkit lays out word by word from left to right. */
export function featuresOf({ direction }: Face): DirectionFeature[] {
  return [direction === "rtl" ? "rtla" : "ltra"];
}

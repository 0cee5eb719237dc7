import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import jsqr from "jsqr";
import { getDocument, OPS, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { PNG } from "pngjs";
import type { Box } from "../../server/src/domain/labels/templates.js";

const pdfjsFolder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));

export function readPngCode(file: Buffer): string | undefined {
  const { width, height, data } = PNG.sync.read(file);
  return readPixels(new Uint8ClampedArray(data), width, height);
}

export function openPdf(file: Buffer): Promise<PDFDocumentProxy> {
  return getDocument({
    data: new Uint8Array(file),
    standardFontDataUrl: join(pdfjsFolder, "standard_fonts/"),
    verbosity: 0,
  }).promise;
}

/** Returns all texts of a page in print order. */
export async function readTexts(pdf: PDFDocumentProxy, number: number): Promise<string[]> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  return items.flatMap((item) => ("str" in item && item.str.trim() !== "" ? [item.str] : []));
}

/** Returns the names of all fonts on a page, sorted. */
export async function readFontNames(pdf: PDFDocumentProxy, number: number): Promise<string[]> {
  const page = await pdf.getPage(number);
  const { fnArray, argsArray } = await page.getOperatorList();
  const ids = fnArray.flatMap((operator, index) =>
    operator === OPS.setFont ? [String((argsArray as unknown[][])[index]?.[0])] : [],
  );
  const names = [...new Set(ids)].map((id) => (page.commonObjs.get(id) as { name: string }).name);
  // Embedded fonts have a tag before the name.
  return names.map((name) => name.replace(/^[A-Z]{6}\+/, "")).sort();
}

/** Renders a page at 300 dpi and reads the code in each box (in millimetres). */
export async function scanPage(
  pdf: PDFDocumentProxy,
  number: number,
  boxes: readonly Box[],
): Promise<(string | undefined)[]> {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: 300 / 72 });
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  const canvasContext = canvas.getContext("2d");
  await page.render({ canvas, canvasContext, viewport } as never).promise;
  const dots = 300 / 25.4;
  return boxes.map((box) => {
    const width = Math.round(box.width * dots);
    const height = Math.round(box.height * dots);
    const { data } = canvasContext.getImageData(
      Math.round(box.x * dots),
      Math.round(box.y * dots),
      width,
      height,
    );
    return readPixels(new Uint8ClampedArray(data), width, height);
  });
}

function readPixels(pixels: Uint8ClampedArray, width: number, height: number): string | undefined {
  return jsqr.default(pixels, width, height, { inversionAttempts: "dontInvert" })?.data;
}

import PDFDocument from "pdfkit";
import { fitText, rowHeight, type Measure, type Row } from "./fit-text.js";
import { faceOf, featuresOf, useFace, type Face } from "./font-faces.js";
import { createQrCode, findRuns, quietZone } from "./qr-codes.js";
import {
  labelBox,
  labelsPerPage,
  layOutLabel,
  type Box,
  type LabelTemplate,
  type Point,
  type Size,
} from "./templates.js";

export interface Label {
  encodedUrl: string;
  /** Printable text. The first line is bold. */
  lines: readonly string[];
}

export interface Sheet {
  title: string;
  template: LabelTemplate;
  /** Used labels on the first page. */
  skip: number;
  labels: readonly Label[];
}

type Document = InstanceType<typeof PDFDocument>;

const pointsPerMillimetre = 72 / 25.4;
/**
 * Distance from the top of a row to the baseline. It applies to all fonts and leaves room for
 * accents.
 */
const ascent = 0.93;

export function countPages({
  template,
  skip,
  labels,
}: Pick<Sheet, "template" | "skip"> & { labels: number }): number {
  return Math.ceil((skip + labels) / labelsPerPage(template));
}

/** A PDF in the page size of the labels, for printing at 100 %. Codes are vector shapes. */
export function drawSheet({ title, template, skip, labels }: Sheet): Promise<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    info: { Title: title, Creator: "Fettle" },
    displayTitle: true,
    lang: "en",
  });
  const parts: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", () => {
      resolve(Buffer.concat(parts));
    });
    document.on("error", reject);
  });
  const page = inPoints(template.page);
  for (const [index, label] of labels.entries()) {
    const place = (skip + index) % labelsPerPage(template);
    if (index === 0 || place === 0)
      document.addPage({ size: [page.width, page.height], margin: 0 });
    drawLabel(document, template, labelBox(template, place), label);
  }
  document.end();
  return finished;
}

function drawLabel(
  document: Document,
  template: LabelTemplate,
  corner: Point,
  { encodedUrl, lines }: Label,
): void {
  const { code, text } = layOutLabel(template);
  drawCode(document, moved(code, corner), encodedUrl);
  drawText(document, moved(text, corner), lines, { centred: text.y > code.y + code.height / 2 });
}

/** Draws the code as one path, because readers show seams between separate squares. */
function drawCode(document: Document, box: Box, text: string): void {
  const code = createQrCode(text);
  const { x, y, width } = inPoints(box);
  document
    .save()
    .translate(x, y)
    .scale(width / (code.size + 2 * quietZone));
  // Adds all squares in one call. One call per square is several times slower.
  document.addContent(
    findRuns(code)
      .map((run) => `${run.x + quietZone} ${run.y + quietZone} ${run.length} 1 re`)
      .join("\n"),
  );
  document.fill("black").restore();
}

function drawText(
  document: Document,
  box: Box,
  lines: readonly string[],
  { centred }: { centred: boolean },
): void {
  const { x, y, width, height } = inPoints(box);
  const measure = createMeasure(document);
  const faced = lines.map((text, index) => ({ text, face: faceOf(text, index === 0) }));
  const { size, rows } = fitText(faced, { width, height }, measure);
  // If the name is right-to-left, all lines are right-aligned.
  const indentOf = (row: Row<Face>) => {
    const free = width - measure(row) * size;
    if (centred) return free / 2;
    return faced[0]?.face.direction === "rtl" ? free : 0;
  };
  const top = y + Math.max(0, (height - rows.length * size * rowHeight) / 2);
  for (const [index, row] of rows.entries()) {
    const { text, face } = row;
    const indent = indentOf(row);
    useFace(document, face, size)
      .fillColor("black")
      .text(text, x + indent, top + (index * rowHeight + ascent) * size, {
        lineBreak: false,
        baseline: "alphabetic",
        features: featuresOf(face),
      });
  }
}

/** Caches widths, because fitting measures each text at several sizes. */
function createMeasure(document: Document): Measure<Face> {
  const widths = new Map<string, number>();
  return ({ text, face }) => {
    const key = `${face.name} ${text}`;
    const width =
      widths.get(key) ??
      face.embedded?.widthOf(text, face.direction) ??
      useFace(document, face, 1).widthOfString(text);
    widths.set(key, width);
    return width;
  };
}

function moved(box: Box, { x, y }: Point): Box {
  return { ...box, x: box.x + x, y: box.y + y };
}

function inPoints<Shape extends Size | Box>(shape: Shape): Shape {
  const points = Object.entries(shape).map(([key, length]: [string, number]) => [
    key,
    length * pointsPerMillimetre,
  ]);
  return Object.fromEntries(points) as Shape;
}

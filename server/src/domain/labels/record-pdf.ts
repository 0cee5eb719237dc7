import PDFDocument from "pdfkit";
import { faceOf, featuresOf, useFace, type Face } from "./font-faces.js";
import { toPrintable } from "./printable-text.js";

/** A record of work to print, in the reader's language. */
export interface PrintedRecord {
  title: string;
  organization: string;
  language: string;
  facts: readonly (readonly [label: string, value: string])[];
  stepsHeading: string;
  steps: readonly PrintedStep[];
  sections: readonly { heading: string; text: string }[];
  photosHeading: string;
  photos: readonly { caption: string; picture: Uint8Array }[];
  /** "Page 1 of 2" with {page} and {pages}. */
  pageNumber: string;
  /** Shown if characters are missing. */
  unprintable: string;
}

export interface PrintedStep {
  label: string;
  /** Kind and limits. */
  detail: string;
  answer: string;
  /** A drawn signature, as a PNG or JPEG file. */
  drawing?: Uint8Array | undefined;
  /** The photo that answers the step, as a PNG or JPEG file. */
  photo?: Uint8Array | undefined;
  /** The reason that the answer failed. */
  failure: string | undefined;
  /** Person and time, the follow-up task. */
  notes: readonly string[];
}

type Document = InstanceType<typeof PDFDocument>;

const page = { size: "A4", margin: 50 } as const;
const [width, bottom] = [495, 780];
const labelWidth = 130;
/** Of drawn signatures. */
const drawingBox: [width: number, height: number] = [180, 60];
const photoBox: [width: number, height: number] = [155, 116];
const lineHeight = 1.35;
const [ink, soft, bad] = ["#1c1c1a", "#5f5f58", "#b3261e"];

interface Style {
  size: number;
  color: string;
  isBold: boolean;
}

const styles = {
  title: { size: 18, color: ink, isBold: true },
  heading: { size: 12, color: ink, isBold: true },
  text: { size: 10, color: ink, isBold: false },
  strong: { size: 10, color: ink, isBold: true },
  soft: { size: 8.5, color: soft, isBold: false },
  bad: { size: 10, color: bad, isBold: true },
} satisfies Record<string, Style>;

export function drawRecord(record: PrintedRecord): Promise<Buffer> {
  const document = new PDFDocument({
    ...page,
    bufferPages: true,
    info: { Title: record.title, Creator: "Fettle" },
    displayTitle: true,
    lang: record.language,
  });
  const finished = collect(document);
  new Writer(document).write(record);
  document.end();
  return finished;
}

function collect(document: Document): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", () => {
      resolve(Buffer.concat(parts));
    });
    document.on("error", reject);
  });
}

/** Writes from top to bottom, and continues on the next page. */
class Writer {
  readonly #document: Document;
  #y: number = page.margin;
  #hasGaps = false;

  constructor(document: Document) {
    this.#document = document;
  }

  write(record: PrintedRecord): void {
    this.#paragraph(record.organization, styles.soft);
    this.#paragraph(record.title, styles.title);
    this.#y += 8;
    for (const [label, value] of record.facts) this.#fact(label, value);
    this.#heading(record.stepsHeading);
    for (const [index, step] of record.steps.entries()) this.#step(index + 1, step);
    for (const { heading, text } of record.sections) {
      this.#heading(heading);
      this.#paragraph(text, styles.text);
    }
    if (record.photos.length > 0) this.#photos(record);
    if (this.#hasGaps) this.#paragraph(record.unprintable, styles.soft);
    this.#numberPages(record.pageNumber);
  }

  #heading(text: string): void {
    this.#makeRoom(60);
    this.#y += 14;
    this.#paragraph(text, styles.heading);
    this.#y += 4;
  }

  #fact(label: string, value: string): void {
    this.#makeRoom(20);
    const top = this.#y;
    this.#paragraph(label, styles.soft, { x: 0, width: labelWidth - 10 });
    const below = this.#y;
    // A long value may have begun a page.
    this.#y = top;
    this.#paragraph(value, styles.text, { x: labelWidth, width: width - labelWidth });
    this.#y = Math.max(this.#y, this.#y < top ? 0 : below);
  }

  #step(number: number, step: PrintedStep): void {
    const { label, detail, answer, drawing, photo, failure, notes } = step;
    this.#makeRoom(40);
    const inset = { x: 20, width: width - 20 };
    const top = this.#y;
    this.#paragraph(`${number}.`, styles.strong, { x: 0, width: 20 });
    this.#y = top;
    this.#paragraph(label, styles.strong, inset);
    if (detail !== "") this.#paragraph(detail, styles.soft, inset);
    const outcome = failure === undefined ? answer : `${answer} – ${failure}`;
    this.#paragraph(outcome, failure === undefined ? styles.text : styles.bad, inset);
    if (drawing !== undefined) this.#picture(drawing, inset.x, drawingBox);
    if (photo !== undefined) this.#picture(photo, inset.x, photoBox);
    for (const note of notes) this.#paragraph(note, styles.soft, inset);
    this.#y += 8;
  }

  /** In rows of three. */
  #photos({ photosHeading, photos }: PrintedRecord): void {
    const [photoWidth, height] = photoBox;
    this.#heading(photosHeading);
    for (let first = 0; first < photos.length; first += 3) {
      this.#makeRoom(height + 24);
      const top = this.#y;
      for (const [index, { caption, picture }] of photos.slice(first, first + 3).entries()) {
        const x = index * (photoWidth + 15);
        this.#y = top;
        this.#picture(picture, x, photoBox);
        this.#paragraph(caption, styles.soft, { x, width: photoWidth });
      }
    }
  }

  #picture(picture: Uint8Array, x: number, box: [width: number, height: number]): void {
    const [, height] = box;
    this.#makeRoom(height + 8);
    const image = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
    this.#document.image(image, page.margin + x, this.#y + 4, { fit: box });
    this.#y += height + 8;
  }

  #paragraph(text: string, style: Style, box = { x: 0, width }): void {
    for (const part of text.split("\n")) this.#line(this.#printable(part), style, box);
  }

  #line(text: string, { size, color, isBold }: Style, box: { x: number; width: number }): void {
    const face = faceOf(text, isBold);
    const measure = (part: string) =>
      (face.embedded?.widthOf(part, face.direction) ?? this.#plainWidth(face, part)) * size;
    for (const row of wrap(text, (part) => measure(part) <= box.width)) {
      this.#makeRoom(size * lineHeight);
      const free = face.direction === "rtl" ? box.width - measure(row) : 0;
      useFace(this.#document, face, size)
        .fillColor(color)
        .text(row, page.margin + box.x + free, this.#y, {
          lineBreak: false,
          features: featuresOf(face),
        });
      this.#y += size * lineHeight;
    }
  }

  #plainWidth(face: Face, text: string): number {
    return useFace(this.#document, face, 1).widthOfString(text);
  }

  /** Replaces characters that the fonts lack. */
  #printable(text: string): string {
    const whole = text.trim() === "" ? "" : toPrintable(text);
    if (whole !== undefined) return whole;
    const parts = Array.from(text, (one) => (/\s/.test(one) ? " " : (toPrintable(one) ?? "?")));
    this.#hasGaps = true;
    return parts.join("").trim();
  }

  #makeRoom(height: number): void {
    if (this.#y + height <= bottom) return;
    this.#document.addPage();
    this.#y = page.margin;
  }

  #numberPages(words: string): void {
    const { count } = this.#document.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.#document.switchToPage(index);
      this.#document.page.margins.bottom = 0;
      const text = words.replace("{page}", String(index + 1)).replace("{pages}", String(count));
      const face = faceOf(text, false);
      useFace(this.#document, face, styles.soft.size)
        .fillColor(soft)
        .text(text, page.margin, 805, { lineBreak: false, features: featuresOf(face) });
    }
  }
}

/** Breaks at spaces, and within words that are too long for a row. */
function wrap(text: string, fits: (part: string) => boolean): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (fits(longer)) {
      row = longer;
      continue;
    }
    if (row !== "") rows.push(row);
    row = "";
    for (const character of word) {
      if (row !== "" && !fits(row + character)) {
        rows.push(row);
        row = "";
      }
      row += character;
    }
  }
  return [...rows, row];
}

import { strToU8, Zip, ZipDeflate } from "fflate";
import type { SheetRow } from "./headings.js";

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = "http://schemas.openxmlformats.org";
const relationships = `${office}/package/2006/relationships`;
const document = `${office}/officeDocument/2006/relationships`;
const main = `${office}/spreadsheetml/2006/main`;

const parts: Record<string, string> = {
  "[Content_Types].xml": `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${document}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${document}"><sheets><sheet name="Fettle" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${document}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/** Yields a table as a workbook, piece by piece. Texts are stored as texts, never as formulas. */
export async function* writeXlsx(
  headings: readonly string[],
  batches: AsyncIterable<SheetRow[]>,
): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  const add = (name: string) => {
    const part = new ZipDeflate(name, { level: 6 });
    zip.add(part);
    return (text: string, isLast = false) => {
      part.push(strToU8(text), isLast);
    };
  };
  for (const [name, text] of Object.entries(parts)) add(name)(xml + text, true);
  const push = add("xl/worksheets/sheet1.xml");
  push(`${xml}<worksheet xmlns="${main}"><sheetData>${toRow(headings)}`);
  for await (const rows of batches) {
    push(rows.map(toRow).join(""));
    yield* pieces.splice(0);
  }
  push("</sheetData></worksheet>", true);
  zip.end();
  yield* pieces.splice(0);
}

function toRow(cells: SheetRow): string {
  return `<row>${cells.map(toCell).join("")}</row>`;
}

function toCell(value: SheetRow[number]): string {
  if (value === null) return "<c/>";
  if (typeof value === "number") return `<c><v>${value}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escape(value)}</t></is></c>`;
}

/** XML excludes the last two code points. No program opens a file that contains one. */
const escapes: Partial<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\r": "&#13;",
  "\uFFFE": "\uFFFD",
  "\uFFFF": "\uFFFD",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>\r\uFFFE\uFFFF]/g, (character) => escapes[character] ?? character);
}

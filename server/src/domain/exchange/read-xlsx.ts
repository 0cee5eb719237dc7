import { createPauses } from "../shared/pauses.js";
import { maxLine, type TableRow } from "./read-csv.js";
import {
  createParser,
  createPieces,
  notReadable,
  requireFew,
  tooLarge,
  unpack,
} from "./workbook-parts.js";

/** Maximum characters of a workbook's texts in memory at a time. */
const maxTexts = 20_000_000;
/** Maximum length of a format, as in spreadsheet programs. */
const maxFormat = 255;

export function isZip(file: Buffer): boolean {
  return file.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]));
}

interface Workbook {
  sheet: string;
  texts: string[];
  styles: CellStyle[];
  startsIn1904: boolean;
}

/**
 * Yields the rows of a workbook's first sheet. A formula has the value it had when the file was
 * saved.
 */
export async function* readXlsx(file: Buffer): AsyncGenerator<TableRow> {
  const workbook = await readWorkbook(file);
  const rows: TableRow[] = [];
  const parse = createSheetParser(workbook, (row) => rows.push(row));
  const parts = unpack(file, (name) => (name === workbook.sheet ? parse : undefined));
  const pause = createPauses();
  while (parts.next().done !== true) {
    yield* rows.splice(0);
    await pause();
  }
  yield* rows;
}

async function readWorkbook(file: Buffer): Promise<Workbook> {
  const found = { sheetId: "", startsIn1904: false };
  const targets = new Map<string, string>();
  const texts = createTextReader();
  const styles = createStyleReader();
  const readers: Record<string, (xml: string) => void> = {
    "xl/workbook.xml": createParser({
      open: (name, { "r:id": id = "", date1904 = "" }) => {
        if (name === "sheet") found.sheetId ||= id;
        if (name === "workbookPr") found.startsIn1904 = date1904 === "1" || date1904 === "true";
      },
    }),
    "xl/_rels/workbook.xml.rels": createParser({
      open: (_name, { Id = "", Target = "" }) => {
        targets.set(Id, Target);
        requireFew(targets.size, "parts");
      },
    }),
    "xl/sharedStrings.xml": texts.read,
    "xl/styles.xml": styles.read,
  };
  const names: string[] = [];
  const parts = unpack(file, (name) => {
    names.push(name);
    requireFew(names.length, "parts");
    return readers[name];
  });
  const pause = createPauses();
  while (parts.next().done !== true) await pause();
  const target = targets.get(found.sheetId) ?? "worksheets/sheet1.xml";
  const sheet = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
  if (!names.includes(sheet)) throw notReadable();
  return { sheet, texts: texts.all, styles: styles.all, startsIn1904: found.startsIn1904 };
}

/** Reads the texts that cells reference by number. Japanese phonetic spellings are skipped. */
function createTextReader() {
  const all: string[] = [];
  const state = { isText: false, inPhonetic: false, length: 0 };
  const pieces = createPieces();
  const read = createParser({
    open: (name) => {
      if (name === "si") pieces.take();
      if (name === "rPh") state.inPhonetic = true;
      state.isText = name === "t" && !state.inPhonetic;
    },
    text: (part) => {
      if (!state.isText) return;
      state.length += part.length;
      if (state.length > maxTexts) throw tooLarge();
      pieces.add(part);
    },
    close: (name) => {
      state.isText = false;
      if (name === "rPh") state.inPhonetic = false;
      if (name === "si") requireFew(all.push(pieces.take()), "texts");
    },
  });
  return { all, read };
}

/** Built-in formats that show a date or time. */
const isDateFormat = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

function showsDate(format: string): boolean {
  return /[dmyh]/i.test(format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, ""));
}

/** Returns the currency in a number format: `#,##0.00 [$€-407]`, `"CHF" 0.00`, `0.00\\ €`. */
function currencyIn(format: string): string {
  const [, inBrackets] = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(format) ?? [];
  const [, quoted] = /"\s*([A-Z]{3}|[A-Za-z]{0,3}\p{Sc}|[A-Za-z]{2}\.)\s*"/u.exec(format) ?? [];
  const [plain = ""] = /\p{Sc}/u.exec(format) ?? [];
  return inBrackets ?? quoted ?? plain;
}

interface CellStyle {
  isDate: boolean;
  currency: string;
}

const plainStyle: CellStyle = { isDate: false, currency: "" };

function createStyleReader() {
  const all: CellStyle[] = [];
  const formats = new Map<string, CellStyle>();
  let isOfCells = false;
  let count = 0;
  const read = createParser({
    open: (name, { numFmtId = "", formatCode = "" }) => {
      if (name === "numFmt") {
        requireFew((count += 1), "formats");
        const format = formatCode.slice(0, maxFormat);
        formats.set(numFmtId, { isDate: showsDate(format), currency: currencyIn(format) });
      }
      if (name === "cellXfs") isOfCells = true;
      if (name === "xf" && isOfCells) {
        const isDate = isDateFormat(Number(numFmtId));
        const style = formats.get(numFmtId) ?? plainStyle;
        requireFew(all.push({ ...style, isDate: isDate || style.isDate }), "styles");
      }
    },
    close: (name) => {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return { all, read };
}

interface OpenCell {
  column: number;
  type: string;
  style: number;
  value: string;
}

/** The reader refuses more columns. Cells further right are dropped. */
const maxColumn = 300;

/** Uses the file's line number while it increases. */
function toLine(given: string, before: number): number {
  const line = Number(given);
  return Number.isInteger(line) && line > before && line <= maxLine ? line : before + 1;
}

function createSheetParser(workbook: Workbook, onRow: (row: TableRow) => void) {
  let row: TableRow = { line: 0, cells: [] };
  let cell: OpenCell | undefined;
  let isValue = false;
  const pieces = createPieces();
  return createParser({
    open: (name, { r = "", t: type = "", s = "" }) => {
      if (name === "row") row = { line: toLine(r, row.line), cells: [] };
      if (name === "c") {
        const column = r === "" ? row.cells.length : toColumn(r);
        cell = { column, type, style: Number(s), value: "" };
        pieces.take();
      }
      isValue = name === "v" || name === "t";
    },
    text: (part) => {
      if (isValue && cell !== undefined) pieces.add(part);
    },
    close: (name) => {
      isValue = false;
      if (name === "c" && cell !== undefined && cell.column < maxColumn) {
        while (row.cells.length < cell.column) row.cells.push("");
        const { text, isExact } = readCell(workbook, { ...cell, value: pieces.take() });
        row.cells[cell.column] = text;
        if (isExact) (row.exact ??= new Set()).add(cell.column);
      }
      if (name === "row" && row.cells.some((text) => text.trim() !== "")) onRow(row);
    },
  });
}

/** Returns the column index: "C12" gives 2. */
function toColumn(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? "A") {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}

function readCell(
  { texts, styles, startsIn1904 }: Workbook,
  { type, style, value }: OpenCell,
): { text: string; isExact: boolean } {
  if (type === "s") return asText(texts[Number(value)] ?? "");
  if (type === "b") return asText(value === "1" ? "Yes" : "No");
  if (type === "e") return asText("");
  if (value === "" || !["", "n"].includes(type)) return asText(value);
  const { isDate, currency } = styles[style] ?? plainStyle;
  if (isDate) return asText(toDate(Number(value) + (startsIn1904 ? 1462 : 0)));
  return { text: `${toPlainNumber(value)} ${currency}`.trim(), isExact: true };
}

const asText = (text: string) => ({ text, isExact: false });

/** Spreadsheets store 12.1 as 12.1000000000000001. */
function toPlainNumber(value: string): string {
  const number = Number(value);
  if (value === "" || !Number.isFinite(number)) return value;
  const plain = Number(number.toPrecision(15));
  return Math.abs(plain) < 1e15 ? String(plain) : value;
}

/** Converts days since 1900, counted as in spreadsheets, where 1900 was a leap year. */
function toDate(serial: number): string {
  const at = new Date(Math.round((serial - 25_569) * 86_400) * 1000);
  if (Number.isNaN(at.getTime())) return String(serial);
  const text = at.toISOString();
  return serial % 1 === 0 ? text.slice(0, 10) : text.slice(0, 19);
}

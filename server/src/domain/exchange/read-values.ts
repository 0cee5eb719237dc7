import { CsvError } from "csv-parse";
import { liveAssetStates } from "../../db/entities/assets.js";
import type { Field } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { fromGuarded, fromListCell } from "./cell-texts.js";
import { toTimestamp } from "../shared/dates.js";
import { maxSpelling } from "../shared/text.js";
import {
  createColumnStyle,
  readDays,
  readNumbers,
  startsWithIsoDay,
  stylesOf,
  valuesOf,
  type ColumnStyle,
  type Readings,
  type Style,
} from "./cell-styles.js";
import { importFields, type ImportKind, type ImportWords } from "./import-kinds.js";
import { readChoice } from "./read-choices.js";
import type { TableRow } from "./read-csv.js";
import { findCurrency, readWrittenAmount } from "./read-money.js";

/** The values of a row by field; what is empty is absent. */
export type RowValues = Partial<Record<string, unknown>>;

/** The values of a row, and what of it cannot be understood. */
export interface ReadRow {
  values: RowValues;
  errors: AppError[];
  /** What amounts without a currency are in, where the record has none. */
  usualCurrency?: string;
}

/** The same with its place in the file. */
export interface NumberedRow extends ReadRow {
  line: number;
}

/** How the cells of a table are read. */
export interface Reading {
  kind: ImportKind;
  /** Which field each column is for; null for those left out. */
  columns: readonly (string | null)[];
  /** By column, the currency in its heading. */
  currencies: readonly (string | undefined)[];
  /** By column, the currency of amounts that have none beside them. */
  usualCurrencies: readonly (string | null)[];
  /** By column. */
  styles: readonly (Style | null)[];
  /** The currency of the organization. */
  ownCurrency: string;
  words: ImportWords;
}

/** What people write into a cell that has no value. */
const nothing = /^(#?n\/a|-+|[–—?]|null)?$/i;

interface Cell {
  name: string;
  field: Field;
  text: string;
  at: number;
}

/** The cells of a row that have a value, by what their columns are for. */
function* cellsOf({ kind, columns }: Reading, cells: readonly string[]): Generator<Cell> {
  for (const [at, name] of columns.entries()) {
    const text = fromGuarded(cells[at] ?? "").trim();
    const field = name === null ? undefined : importFields[kind][name];
    if (name !== null && field !== undefined && !nothing.test(text))
      yield { name, field, text, at };
  }
}

/** Reads the cells of a row; what cannot be read is an error of its own. */
export function readRow(reading: Reading, { cells, exact }: TableRow): ReadRow {
  const values: RowValues = {};
  const errors: AppError[] = [];
  const orError = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      errors.push(toRefusal(error));
      return undefined;
    }
  };
  const written: Cell[] = [];
  for (const cell of cellsOf(reading, cells)) {
    const { name, field, at } = cell;
    const style = exact?.has(at) === true ? "point" : (reading.styles[at] ?? null);
    const value = orError(() => {
      requireShort(name, field, cell.text);
      const read = readCell(reading, cell, style);
      if (field.kind === "amount") written.push(cell);
      return read;
    });
    if (value !== undefined) values[name] = value;
  }
  // The costs of a task have a currency, the task itself has none.
  if (reading.kind === "tasks" && written.length === 0) delete values["currency"];
  const given = values["currency"] as string | undefined;
  const currency = orError(() => readCurrency(reading, given, written));
  if (currency !== undefined) values["currency"] = currency;
  const usual = written.map(({ at }) => reading.usualCurrencies[at]).find((one) => one != null);
  const isUsual = usual !== undefined && values["currency"] === undefined;
  return { values, errors, ...(isUsual && { usualCurrency: usual }) };
}

function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** Adds what the cells of a row tell about the styles of their columns. */
export function addToStyles(
  reading: Reading,
  { cells, exact }: TableRow,
  columns: Map<number, ColumnStyle>,
): void {
  for (const { field, text, at } of cellsOf(reading, cells)) {
    if (stylesOf(field).length === 0 || exact?.has(at) === true || text.length > maxOther) continue;
    let column = columns.get(at);
    if (column === undefined) columns.set(at, (column = createColumnStyle()));
    column.add(text, readStyled(field, text));
    const amount = field.kind === "amount" ? readWrittenAmount(text) : undefined;
    if (amount === undefined) continue;
    const hint = reading.currencies[at];
    const written = amount.currencies.length > 0 ? amount.currencies : (hint ?? []);
    column.addCurrency(findCurrency([written].flat(), reading.ownCurrency, hint ? [hint] : []));
  }
}

/** All that a cell can mean. */
export function readStyled({ kind }: Field, text: string): Readings<number | string> {
  if (kind === "day") return readDays(text);
  return readNumbers(kind === "amount" ? (readWrittenAmount(text)?.digits ?? "") : text);
}

/** The currency of a row: of its own column, else of its amounts or their headings. */
function readCurrency(
  { currencies, ownCurrency: own }: Reading,
  given: string | undefined,
  amounts: readonly Cell[],
): string | undefined {
  const found = new Set<string>();
  if (given !== undefined) found.add(resolve("currency", [given], own));
  for (const { name, text, at } of amounts) {
    const beside = readWrittenAmount(text)?.currencies ?? [];
    const heading = currencies[at];
    const written = beside.length > 0 || heading === undefined ? beside : [heading];
    const hints = [given, heading].filter((one) => one !== undefined);
    if (written.length > 0) found.add(resolve(name, written, own, hints));
  }
  const [first] = found;
  if (found.size < 2) return first;
  const details = { field: "currency", codes: [...found] };
  throw new AppError("validation_failed", "currencies_differ", details);
}

function resolve(
  field: string,
  written: readonly string[],
  ...context: [own: string, hints?: readonly string[]]
): string {
  const currency = findCurrency(written, ...context);
  if (currency !== undefined && currency !== "unclear") return currency;
  const text = written.join(" ");
  if (currency === undefined) refuse(field, text, "EUR");
  throw new AppError("validation_failed", "currency_unclear", { field, text });
}

/** No tags, and no other values, that can be stored are longer. */
const maxTags = 1000;
const maxOther = 100;

/** A cell far longer than its field is refused unread: to understand it would take long, row after row. */
function requireShort(field: string, { kind, max: most }: Field, text: string): void {
  const isText = kind === "text" || kind === "reference";
  const max = isText ? (most ?? maxOther) : kind === "tags" ? maxTags : maxOther;
  if (text.length <= maxSpelling * max) return;
  throw new AppError("validation_failed", "too_long", { field, max });
}

function readCell({ kind, words }: Reading, cell: Cell, style: Style | null): unknown {
  const { name, field, text } = cell;
  const pick = (example: string) => pickReading(cell, style, example);
  switch (field.kind) {
    case "day":
      return isNoDay.test(text) ? undefined : pick("2026-11-21");
    case "amount":
      return pick("1249.90");
    case "minutes":
      return requireWhole(pick("90"), cell);
    case "flag":
      return readFlag(name, text);
    case "tags":
      return readTags(name, text);
    case "choice":
      return readChoice(kind, cell, words);
    case "text":
    case "reference":
    case "currency":
      return name === "completed_at" ? readMoment(name, text) : text;
  }
}

function requireWhole(minutes: number | string, { name, text }: Cell): number | string {
  return Number.isInteger(minutes) ? minutes : refuse(name, text, "90");
}

/** Other programs write so that there is none. */
const isNoDay = /^000[01]\D|\D000[01]$/;

/** The only meaning of a cell, or the one in the style of its column. */
function pickReading({ name, field, text }: Cell, style: Style | null, example: string) {
  const readings = readStyled(field, text);
  const values = valuesOf(readings);
  const [first, second] = values;
  if (first === undefined) return refuse(name, text, example);
  if (second === undefined) return first;
  const chosen = style === null ? undefined : readings[style];
  if (chosen !== undefined) return chosen;
  throw new AppError("validation_failed", "cell_ambiguous", { field: name, text, values });
}

function readTags(name: string, text: string): string[] {
  try {
    return fromListCell(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(name, text, '"Safety, critical", Roof');
  }
}

function readMoment(name: string, text: string): string {
  const at = new Date(text);
  const isMoment = startsWithIsoDay(text) && !Number.isNaN(at.getTime());
  return isMoment ? toTimestamp(at) : refuse(name, text, "2026-11-21T14:30:00Z");
}

export function refuse(field: string, text: string, example: string): never {
  throw new AppError("validation_failed", "cell_not_understood", { field, text, example });
}

const yes = new Set(["yes", "y", "true", "1", "x", "ja", "j", "wahr"]);
const no = new Set(["no", "n", "false", "0", "nein", "falsch"]);

function readFlag(name: string, text: string): boolean {
  const word = text.toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : refuse(name, text, "Yes or No");
}

export const isLiveState = (state: unknown): boolean =>
  liveAssetStates.some((one) => one === state);

/** A number and a name, as far as they are there. */
export function joinTexts(...texts: unknown[]): string {
  return texts.filter((text) => typeof text === "string").join(" ");
}

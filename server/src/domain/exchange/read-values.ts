import { CsvError } from "csv-parse";
import { liveAssetStates } from "../../db/entities/assets.js";
import type { Field } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { fromGuarded, fromListCell } from "./cell-texts.js";
import { toTimestamp } from "../shared/dates.js";
import { maxSpelling, toNfc } from "../shared/text.js";
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
import { readChoice, toWord } from "./read-choices.js";
import type { TableRow } from "./read-csv.js";
import { findCurrency, readWrittenAmount } from "./read-money.js";

/** The values of a row by field. Empty cells are absent. */
export type RowValues = Partial<Record<string, unknown>>;

export interface ReadRow {
  values: RowValues;
  errors: AppError[];
  /** Choices that aren't recognized. */
  unknown?: UnknownCell[];
  /** The currency of amounts without one, if the record has none. */
  usualCurrency?: string;
  /** The workspace, if the record has none. */
  usualPlace?: string;
}

export interface UnknownCell {
  field: string;
  text: string;
}

export interface NumberedRow extends ReadRow {
  line: number;
  /** Absent for the rows of an app. */
  cells?: readonly string[];
}

/** The value that a person chose for a word of the file. */
export interface ChosenValue {
  field: string;
  word: string;
  value: string;
}

/** A workspace for all rows, or one for each value of a column. */
export type Place = { name: string } | { column: number };

export interface Reading {
  kind: ImportKind;
  /** The field of each column. Null for ignored columns. */
  columns: readonly (string | null)[];
  /** By column, the currency in its heading. */
  currencies: readonly (string | undefined)[];
  /** By column, the currency of amounts without one. */
  usualCurrencies: readonly (string | null)[];
  /** By column, the currency that a person chose for a sign shared by several. */
  signCurrencies: readonly (string | null)[];
  /** By column. */
  styles: readonly (Style | null)[];
  chosenValues: readonly ChosenValue[];
  place: Place | null;
  ownCurrency: string;
  words: ImportWords;
}

/** Texts that people write for "no value". */
const nothing = /^(#?n\/a|-+|[–—?]|null)?$/i;

interface Cell {
  name: string;
  field: Field;
  text: string;
  at: number;
}

function* cellsOf({ kind, columns }: Reading, cells: readonly string[]): Generator<Cell> {
  for (const [at, name] of columns.entries()) {
    const text = fromGuarded(cells[at] ?? "").trim();
    const field = name === null ? undefined : importFields[kind][name];
    if (name !== null && field !== undefined && !nothing.test(text))
      yield { name, field, text, at };
  }
}

/** Reads the cells of a row. Each unreadable cell becomes an error. */
export function readRow(reading: Reading, { cells, exact }: TableRow): ReadRow {
  const values: RowValues = {};
  const errors: AppError[] = [];
  const unknown: UnknownCell[] = [];
  const orError = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      const refusal = toRefusal(error);
      if (isUnknownChoice(reading.kind, refusal)) unknown.push(refusal.params);
      else errors.push(refusal);
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
    const chosen = value ?? chosenFor(reading, cell);
    if (chosen !== undefined) values[name] = chosen;
  }
  // A task's costs have a currency. The task itself has none.
  if (reading.kind === "tasks" && written.length === 0) delete values["currency"];
  const given = values["currency"] as string | undefined;
  const currency = orError(() => readCurrency(reading, given, written));
  if (currency !== undefined) values["currency"] = currency;
  const usual = written.map(({ at }) => reading.usualCurrencies[at]).find((one) => one != null);
  const isUsual = usual !== undefined && values["currency"] === undefined;
  return {
    ...{ values, errors, unknown },
    ...(isUsual && { usualCurrency: usual }),
    ...readPlace(reading, cells, values),
  };
}

/** Corrects spaces in the row's own workspace, which may have to be created. */
function readPlace(
  { kind, place }: Reading,
  cells: readonly string[],
  values: RowValues,
): Pick<ReadRow, "usualPlace"> {
  if (kind !== "assets" || place === null) return {};
  const own = values["workspace_id"];
  if (typeof own === "string") values["workspace_id"] = toPlaceName(own);
  const text = "name" in place ? place.name : fromGuarded(cells[place.column] ?? "").trim();
  return nothing.test(text) ? {} : { usualPlace: toPlaceName(text) };
}

/** As the name of a new workspace is stored. */
const toPlaceName = (text: string) =>
  toNfc(text.slice(0, maxSpelling * maxOther))
    .replaceAll(/\s+/g, " ")
    .trim();

/** Such a cell is left out, except for roles: an invitation must not give another one. */
function isUnknownChoice(
  kind: ImportKind,
  refusal: AppError,
): refusal is AppError<"choice_not_understood"> {
  return refusal.key === "choice_not_understood" && kind !== "people";
}

function chosenFor({ chosenValues }: Reading, { name, text }: Cell): string | undefined {
  return findChosen(chosenValues, { field: name, word: toWord(text) })?.value;
}

export function findChosen<Chosen extends Pick<ChosenValue, "field" | "word">>(
  chosen: readonly Chosen[],
  { field, word }: Pick<ChosenValue, "field" | "word">,
): Chosen | undefined {
  return chosen.find((one) => one.field === field && one.word === word);
}

function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

export function addToStyles(
  reading: Reading,
  { cells, exact }: TableRow,
  columns: Map<number, ColumnStyle>,
): void {
  const currencyAt = reading.columns.indexOf("currency");
  const given = fromGuarded(cells[currencyAt] ?? "").trim();
  for (const { field, text, at } of cellsOf(reading, cells)) {
    if (stylesOf(field).length === 0 || exact?.has(at) === true || text.length > maxOther) continue;
    let column = columns.get(at);
    if (column === undefined) columns.set(at, (column = createColumnStyle()));
    column.add(text, readStyled(field, text));
    if (field.kind === "amount") addCurrencyTo(column, reading, { text, at, given });
  }
}

function addCurrencyTo(
  column: ColumnStyle,
  { currencies, signCurrencies, ownCurrency }: Reading,
  { text, at, given }: Pick<Cell, "text" | "at"> & { given: string },
): void {
  const amount = readWrittenAmount(text);
  if (amount === undefined) return;
  const hint = currencies[at];
  const written = [amount.currencies.length > 0 ? amount.currencies : (hint ?? [])].flat();
  const hints = [given, hint ?? ""];
  if (findCurrency(written, ownCurrency, hints) === "unclear") {
    column.addSharedSign(written.join(" "));
  }
  hints.push(signCurrencies[at] ?? "");
  column.addCurrency(findCurrency(written, ownCurrency, hints));
}

export function readStyled({ kind }: Field, text: string): Readings<number | string> {
  if (kind === "day") return readDays(text);
  return readNumbers(kind === "amount" ? (readWrittenAmount(text)?.digits ?? "") : text);
}

/** Returns a row's currency: from its own column, else from its amounts or their headings. */
function readCurrency(
  { currencies, signCurrencies, ownCurrency: own }: Reading,
  given: string | undefined,
  amounts: readonly Cell[],
): string | undefined {
  const found = new Set<string>();
  if (given !== undefined) found.add(resolve("currency", [given], own));
  for (const { name, text, at } of amounts) {
    const beside = readWrittenAmount(text)?.currencies ?? [];
    const heading = currencies[at];
    const written = beside.length > 0 || heading === undefined ? beside : [heading];
    const hints = [given, heading, signCurrencies[at]].filter((one) => one != null);
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

/** Maximum lengths of tags and of other values that can be stored. */
const maxTags = 1000;
const maxOther = 100;

/**
 * Throws for a cell far longer than its field, without parsing it. Parsing would be slow in every
 * row.
 */
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

/** Other programs write these dates for "none". */
const isNoDay = /^000[01]\D|\D000[01]$/;

/** Returns a cell's only meaning, or the one in its column's style. */
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

const yes = new Set([
  ...["yes", "y", "true", "1", "x", "ja", "j", "wahr"],
  ...["oui", "o", "vrai", "sí", "si", "s", "verdadero"],
]);
const no = new Set(["no", "n", "false", "0", "nein", "falsch", "non", "faux", "falso"]);

function readFlag(name: string, text: string): boolean {
  const word = text.toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : refuse(name, text, "Yes or No");
}

export const isLiveState = (state: unknown): boolean =>
  liveAssetStates.some((one) => one === state);

/** Joins the texts that are strings, such as a number and a name, with a space. */
export function joinTexts(...texts: unknown[]): string {
  return texts.filter((text) => typeof text === "string").join(" ");
}

import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { Counted } from "../history/counted.js";
import { toHeading } from "./headings.js";
import { omit } from "../shared/omit.js";
import type { ColumnStyle, Style, UnclearColumn } from "./cell-styles.js";
import { guessFields } from "./guess-fields.js";
import { guessLayout, requiredFields, type ImportKind, type ImportWords } from "./import-kinds.js";
import { splitHeading } from "./read-money.js";
import { checkTable, guessFormat, type TableFormat } from "./read-table.js";
import type { TableRow } from "./read-csv.js";
import { toWord } from "./read-choices.js";
import type { ChosenValue, Place, Reading, UnknownCell } from "./read-values.js";

export interface ImportSettings {
  of: ImportKind;
  /** "values" if an app sent the rows. */
  format: TableFormat | { format: "values" };
  headings: string[];
  /** The field of each column. Null for ignored columns. */
  columns: (string | null)[];
  /** Columns whose guessed field no person has confirmed yet. */
  doubtful?: number[];
  /** By column, some of its values. */
  samples?: string[][];
  /** By column, the number or date style that a person chose. */
  styles?: (Style | null)[];
  /** By column, the currency that a person chose for amounts without one. */
  usualCurrencies?: (string | null)[];
  /** By column, the only currency in it, if other amounts have none. */
  onlyCurrencies?: (string | null)[];
  /** By column, a currency sign in it that can mean several currencies. */
  sharedSigns?: (string | null)[];
  /** By column, the currency that a person chose for the sign. */
  signCurrencies?: (string | null)[];
  /** Choices that aren't recognized, as `makePlan` found them. */
  unknown?: UnknownValue[];
  chosenValues?: ChosenValue[];
  /** Cells that a person corrected, by line and column. */
  corrections?: Record<string, Record<string, string>>;
  /** By column, ambiguous cells that `makePlan` found. */
  unclear?: (UnclearColumn | null)[];
  /** The workspace of assets without one, as a person chose it. */
  place?: Place | null;
  /** Workspaces that rows name and that don't exist. With a `place`, the import creates them. */
  missingPlaces?: string[];
  layout?: string;
  /** Rows in the file, without the headings. */
  rows: number;
  /** Set if there is no file name. */
  counted?: Counted["counted"];
}

export interface UnknownValue extends UnknownCell {
  word: string;
  rows: number;
}

/**
 * Detects the format and columns of an uploaded file. Throws if it isn't a table, or not one of
 * this kind.
 */
export async function readSettings(
  of: ImportKind,
  file: Buffer,
  words: ImportWords,
  format: TableFormat = guessFormat(file),
): Promise<ImportSettings> {
  const { headings, rows, samples } = await checkTable(file, format);
  const { columns, doubtful } = guessFields(of, { headings, samples }, words);
  const layout = guessLayout(headings);
  if (headings.length === 1 && columns[0] === null) {
    const heading = toHeading(requiredFields[of]);
    throw new AppError("validation_failed", "no_column_for", { field: "file", heading });
  }
  return {
    ...{ of, format, headings, columns, rows, doubtful },
    samples: samples.map((some) => some.slice(0, 3)),
    ...(layout !== undefined && { layout }),
  };
}

export function toReading(
  { of, columns, headings, place = null, ...chosen }: ImportSettings,
  { caller, words }: { caller: Caller; words: ImportWords },
): Reading {
  const { styles = [], usualCurrencies = [], signCurrencies = [], chosenValues = [] } = chosen;
  const currencies = headings.map((heading) => splitHeading(heading).currency);
  return {
    kind: of,
    columns,
    currencies,
    usualCurrencies,
    signCurrencies,
    styles,
    chosenValues,
    place,
    ownCurrency: caller.currency,
    words,
  };
}

/** A person's choice for a column takes precedence over its cells. */
export function settle(reading: Reading, found: ReadonlyMap<number, ColumnStyle>): Reading {
  const { columns, styles, usualCurrencies } = reading;
  return {
    ...reading,
    styles: columns.map((_, at) => styles[at] ?? found.get(at)?.shown() ?? null),
    usualCurrencies: columns.map(
      (_, at) => usualCurrencies[at] ?? found.get(at)?.currency() ?? null,
    ),
  };
}

interface Questions {
  found: ReadonlyMap<number, ColumnStyle>;
  unknown: readonly UnknownValue[];
  missingPlaces: string[];
}

export function withQuestions(
  settings: ImportSettings,
  { found, unknown, missingPlaces }: Questions,
  ownCurrency: string,
): ImportSettings {
  const unclear = settings.columns.map((_, at) => found.get(at)?.unclear() ?? null);
  const onlyCurrencies = settings.columns.map((_, at) => {
    const only = found.get(at)?.currency() ?? null;
    return only === ownCurrency ? null : only;
  });
  const sharedSigns = settings.columns.map((_, at) => found.get(at)?.sharedSign() ?? null);
  return {
    ...omit(settings, "unclear", "onlyCurrencies", "sharedSigns", "unknown", "missingPlaces"),
    ...(unclear.some(Boolean) && { unclear }),
    ...(onlyCurrencies.some(Boolean) && { onlyCurrencies }),
    ...(sharedSigns.some(Boolean) && { sharedSigns }),
    ...(unknown.length > 0 && { unknown: [...unknown] }),
    ...(missingPlaces.length > 0 && { missingPlaces }),
  };
}

/** More would be a column of texts. */
const maxUnknown = 50;

/** Counts choices that aren't recognized, by field and word. */
export function createUnknownValues() {
  const found = new Map<string, UnknownValue>();
  return {
    add: (cells: readonly UnknownCell[]) => {
      for (const { field, text } of cells) {
        const word = toWord(text);
        const key = `${field} ${word}`;
        const known = found.get(key);
        if (known !== undefined) known.rows += 1;
        else if (found.size < maxUnknown) found.set(key, { field, text, word, rows: 1 });
      }
    },
    list: () => [...found.values()].sort((a, b) => b.rows - a.rows),
  };
}

export function toCorrected(row: TableRow, { corrections = {} }: ImportSettings): TableRow {
  const given = corrections[row.line];
  if (given === undefined) return row;
  const cells = [...row.cells];
  for (const [at, text] of Object.entries(given)) cells[Number(at)] = text;
  const exact = new Set([...(row.exact ?? [])].filter((at) => given[at] === undefined));
  return { ...row, cells: Array.from(cells, (cell: string | undefined) => cell ?? ""), exact };
}

import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { Counted } from "../history/counted.js";
import { toHeading } from "./headings.js";
import { omit } from "../shared/omit.js";
import type { ColumnStyle, Style, UnclearColumn } from "./cell-styles.js";
import {
  guessColumns,
  guessLayout,
  requiredFields,
  type ImportKind,
  type ImportWords,
} from "./import-kinds.js";
import { splitHeading } from "./read-money.js";
import { checkTable, guessFormat, type TableFormat } from "./read-table.js";
import type { Reading } from "./read-values.js";

export interface ImportSettings {
  of: ImportKind;
  /** "values" if an app sent the rows. */
  format: TableFormat | { format: "values" };
  headings: string[];
  /** The field of each column. Null for ignored columns. */
  columns: (string | null)[];
  /** By column, the number or date style that a person chose. */
  styles?: (Style | null)[];
  /** By column, the currency that a person chose for amounts without one. */
  usualCurrencies?: (string | null)[];
  /** By column, the only currency in it, if other amounts have none. */
  onlyCurrencies?: (string | null)[];
  /** By column, ambiguous cells that `makePlan` found. */
  unclear?: (UnclearColumn | null)[];
  layout?: string;
  /** Rows in the file, without the headings. */
  rows: number;
  /** Set if there is no file name. */
  counted?: Counted["counted"];
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
  const { headings, rows } = await checkTable(file, format);
  const columns = guessColumns(of, headings, words);
  const layout = guessLayout(headings);
  if (headings.length === 1 && columns[0] === null) {
    const heading = toHeading(requiredFields[of]);
    throw new AppError("validation_failed", "no_column_for", { field: "file", heading });
  }
  return { of, format, headings, columns, rows, ...(layout !== undefined && { layout }) };
}

export function toReading(
  { of, columns, headings, styles = [], usualCurrencies = [] }: ImportSettings,
  { caller, words }: { caller: Caller; words: ImportWords },
): Reading {
  const currencies = headings.map((heading) => splitHeading(heading).currency);
  return {
    kind: of,
    columns,
    currencies,
    usualCurrencies,
    styles,
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

export function withQuestions(
  settings: ImportSettings,
  found: ReadonlyMap<number, ColumnStyle>,
  ownCurrency: string,
): ImportSettings {
  const unclear = settings.columns.map((_, at) => found.get(at)?.unclear() ?? null);
  const onlyCurrencies = settings.columns.map((_, at) => {
    const only = found.get(at)?.currency() ?? null;
    return only === ownCurrency ? null : only;
  });
  return {
    ...omit(settings, "unclear", "onlyCurrencies"),
    ...(unclear.some(Boolean) && { unclear }),
    ...(onlyCurrencies.some(Boolean) && { onlyCurrencies }),
  };
}

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

/** What the plan of an import is made by. */
export interface ImportSettings {
  of: ImportKind;
  /** "values" where an app gave the rows. */
  format: TableFormat | { format: "values" };
  headings: string[];
  /** Which field each column is for; null for those left out. */
  columns: (string | null)[];
  /** By column, where a person has said how its numbers or days are written. */
  styles?: (Style | null)[];
  /** By column, where a person has said what amounts without a currency are in. */
  usualCurrencies?: (string | null)[];
  /** By column, the only currency in it, where other amounts have none. */
  onlyCurrencies?: (string | null)[];
  /** By column, what `makePlan` found in it that can be read in two ways. */
  unclear?: (UnclearColumn | null)[];
  layout?: string;
  /** Of the file, without the headings. */
  rows: number;
  /** Where there is no name of a file. */
  counted?: Counted["counted"];
}

/** What an uploaded file is; refused when it is no table, or none of the kind. */
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

/** How the cells of the file are read. */
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

/** What a person has said of a column goes before what its cells show. */
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

/** With the columns that a person can be asked about. */
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

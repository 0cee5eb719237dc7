import { dateFormat, numberFormat } from "../../language/formats.js";
import { t, translateIfKnown } from "../../language/translate.js";
import { quote } from "./quote.js";

export function describeReading(value: number | string): string {
  if (typeof value === "number") return numberFormat({ maximumFractionDigits: 12 }).format(value);
  return dateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date(value));
}

export const changeSetTexts = {
  file_missing: "Choose a CSV or Excel (.xlsx) file with a header row.",
  file_too_large: ({ megabytes }: { field: string; megabytes: number }) =>
    t("The file is larger than {megabytes} MB. Split it and import the parts one by one.", {
      megabytes,
    }),
  file_no_table:
    "The file isn't a readable table. Save it as CSV or Excel (.xlsx) with a header row.",
  file_without_rows: "The file has headings but no rows.",
  file_not_readable: ({ line }: { field: string; line: number }) =>
    t(
      "Line {line} can't be read: it isn't text, or a quotation mark isn't closed. Save the file as CSV (UTF-8) or Excel (.xlsx).",
      { line },
    ),
  file_unpacks_too_large:
    "The workbook is too large when unpacked. Save only the sheet with the rows as CSV or Excel (.xlsx).",
  file_too_many_rows: ({ max }: { field: string; max: number }) =>
    t("The file has more than {max} rows. Split it and import the parts one by one.", {
      max: numberFormat({}).format(max),
    }),
  file_too_many_columns: ({ max }: { field: string; max: number }) =>
    t("The file has more than {max} columns. Remove those you don't need.", { max }),
  no_column_for: ({ heading }: { field: string; heading: string }) =>
    t("No column was found for {heading}, which is required. Give a column this heading.", {
      heading,
    }),
  cell_not_understood: ({
    field,
    text,
    example,
  }: {
    field: string;
    text: string;
    example: string;
  }) =>
    t("{field}: {text} isn't recognized. Use {example}.", {
      field,
      text: quote(text),
      example: translateIfKnown(example),
    }),
  choice_not_understood: ({
    field,
    text,
    choices,
  }: {
    field: string;
    text: string;
    choices: readonly string[];
  }) =>
    t("{field}: {text} isn't recognized. Use one of: {choices}.", {
      field,
      text: quote(text),
      choices: choices.join(", ").replaceAll("_", " "),
    }),
  cell_ambiguous: ({
    field,
    text,
    values,
  }: {
    field: string;
    text: string;
    values: readonly (number | string)[];
  }) =>
    t("{field}: {text} could be {first} or {second}. Choose how to read this column.", {
      field,
      text: quote(text),
      first: describeReading(values[0] ?? text),
      second: describeReading(values[1] ?? text),
    }),
  currency_unclear: ({ field, text }: { field: string; text: string }) =>
    t("{field}: {text} can mean several currencies. Use the code, such as USD.", {
      field,
      text: quote(text),
    }),
  currencies_differ: ({ codes }: { field: string; codes: readonly string[] }) =>
    t("This row has amounts in {codes}. A row can have only one currency.", {
      codes: codes.join(", "),
    }),
  task_currency_kept: ({ currency, other }: { field: string; currency: string; other: string }) =>
    t("The costs of this task are in {currency}. They can't be changed to {other}.", {
      currency,
      other,
    }),
  same_number_in_file: ({ line }: { line: number }) =>
    t("line {line} of the file has the same number.", { line }),
  looks_like_sum: "this looks like the sum of the rows above it.",
  import_not_planned: "This import was already applied, or its preview isn't finished.",
  wrong_filter: ({ problem }: { problem: string }) => problem,
  no_such_change_set: "We can't find that import or undo. Import previews are kept for a week.",
  app_of_other_organization: ({ organization }: { organization: string }) =>
    t("This app acts in {organization}. Switch to that organization first.", {
      organization: quote(organization),
    }),
  change_set_not_applied: "This is still running, so there's nothing to undo yet.",
  change_set_undone: "This was already undone.",
  undo_refused: "Couldn't undo this. The server's log has the details.",
  undo_failed: "The undo stopped because of an error. Nothing is lost. Continue to try again.",
  work_keeps_down: "Other work still keeps it out of use.",
  currency_in_use: "Costs entered by others are in this currency.",
  cost_of_other_currency: "The other costs are now in another currency.",
  files_not_undone: "Photos and files that were added, removed or moved aren't undone.",
};

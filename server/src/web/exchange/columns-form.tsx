import type { VNode } from "preact";
import type { ChangeSetRecord } from "../../domain/history/change-sets.js";
import { stylesOf } from "../../domain/exchange/cell-styles.js";
import { importFields, requiredFields } from "../../domain/exchange/import-kinds.js";
import type { ImportSettings } from "../../domain/exchange/import-settings.js";
import { delimiters, encodings } from "../../domain/exchange/read-csv.js";
import { readStyled } from "../../domain/exchange/read-values.js";
import { describeReading } from "../../domain/shared/change-set-texts.js";
import { quote } from "../../domain/shared/quote.js";
import { t, translated } from "../../language/translate.js";
import { importAddress } from "../history/changes/addresses.js";
import { PostForm, type Option } from "../forms/controls.js";
import { Notice } from "../layout/notices.js";
import { toColumnLabel } from "../text/field-labels.js";

const encodingLabels: Record<(typeof encodings)[number], string> = translated({
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16, big-endian",
  "windows-1252": "Windows (Western Europe)",
});
const delimiterLabels: Record<(typeof delimiters)[number], string> = translated({
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
  "|": "Pipe",
});

export function ColumnsForm({
  set,
  settings,
  ownCurrency,
}: {
  set: ChangeSetRecord;
  settings: ImportSettings;
  ownCurrency: string;
}): VNode | null {
  const { of, format, headings, columns, layout } = settings;
  if (set.state !== "planned" || format.format === "values") return null;
  const fields = Object.keys(importFields[of]).map((value) => ({
    value,
    label: toColumnLabel(value),
  }));
  const left = headings.filter((_, at) => columns[at] === null).length;
  const required = requiredFields[of];
  const isMissing = !columns.includes(required) && (set.counts["wrong"] ?? 0) > 0;
  const open = countOpenQuestions(settings);
  const { onlyCurrencies = [], usualCurrencies = [] } = settings;
  const isAssumed = onlyCurrencies.some((one, at) => one !== null && usualCurrencies[at] == null);
  return (
    <details class="import-columns" open={isMissing || isAssumed || open > 0}>
      <summary>
        {t("How the file was read")}
        {left > 0 &&
          ` · ${t("{left, plural, one {# column not imported} other {# columns not imported}}", { left })}`}
        {layout !== undefined && ` · ${t("as from {layout}", { layout })}`}
      </summary>
      <PostForm action={`${importAddress}/${set.id}/columns`}>
        {isMissing && <MissingColumn field={required} />}
        <UnclearColumns settings={settings} open={open} />
        <BareAmounts settings={settings} ownCurrency={ownCurrency} />
        <FormatOfFile format={format} />
        <div class="columns-of-file">
          {headings.map((heading, at) => (
            <Choice
              key={at}
              name={`column_${at}`}
              label={nameColumn(heading, at)}
              value={columns[at] ?? ""}
              options={[{ value: "", label: t("Don't import") }, ...fields]}
            />
          ))}
        </div>
        <button type="submit" class="quiet">
          {t("Update preview")}
        </button>
      </PostForm>
    </details>
  );
}

function FormatOfFile({ format }: Pick<ImportSettings, "format">): VNode | null {
  if (format.format !== "csv") return null;
  return (
    <div class="columns-of-file">
      <Choice
        name="encoding"
        label={t("Encoding")}
        value={format.encoding}
        options={encodings.map((value) => ({ value, label: encodingLabels[value] }))}
      />
      <Choice
        name="delimiter"
        label={t("Separator")}
        value={format.delimiter}
        options={delimiters.map((value) => ({ value, label: delimiterLabels[value] }))}
      />
    </div>
  );
}

function nameColumn(heading: string, at: number): string {
  return heading === "" ? t("Column {number}", { number: at + 1 }) : heading;
}

/** The number of columns that wait for the person to choose their meaning. */
export function countOpenQuestions({ unclear = [], styles = [] }: ImportSettings): number {
  return unclear.filter((one, at) => one !== null && (one.shown ?? styles[at] ?? null) === null)
    .length;
}

/** A choice of meaning for each column with an ambiguous cell. */
function UnclearColumns({ settings, open }: { settings: ImportSettings; open: number }): VNode {
  const { of, columns, headings, unclear = [], styles = [] } = settings;
  const choices = unclear.flatMap((one, at) => {
    const field = importFields[of][columns[at] ?? ""];
    if (one === null || field === undefined) return [];
    const label = t("{heading}: {sample} is", {
      heading: nameColumn(headings[at] ?? "", at),
      sample: quote(one.sample),
    });
    const readings = readStyled(field, one.sample);
    const options = stylesOf(field).map((style) => ({
      value: style,
      label: describeReading(readings[style] ?? one.sample),
    }));
    const present = styles[at] ?? one.shown ?? "";
    const empty = present === "" ? [{ value: "", label: t("Choose a value") }] : [];
    const props = { name: `style_${at}`, label, value: present, options: [...empty, ...options] };
    return [<Choice key={at} {...props} />];
  });
  return (
    <>
      {open > 0 && (
        <Notice
          kind="warning"
          title={t("Choose how to read {columns, plural, one {# column} other {# columns}}", {
            columns: open,
          })}
        >
          <p>
            {t("Some values can be read in two ways. Their rows aren't imported until you choose.")}
          </p>
        </Notice>
      )}
      {choices.length > 0 && <div class="columns-of-file">{choices}</div>}
    </>
  );
}

/** For each column in which only some amounts have a currency, the currency of the others. */
function BareAmounts({
  settings: { headings, onlyCurrencies = [], usualCurrencies = [] },
  ownCurrency,
}: {
  settings: ImportSettings;
  ownCurrency: string;
}): VNode | null {
  const choices = onlyCurrencies.flatMap((only, at) => {
    if (only === null) return [];
    const label = t("{heading}: amounts without a currency are in", {
      heading: nameColumn(headings[at] ?? "", at),
    });
    const options = [only, ownCurrency].map((code) => ({ value: code, label: code }));
    const props = { name: `currency_${at}`, label, value: usualCurrencies[at] ?? only, options };
    return [<Choice key={at} {...props} />];
  });
  return choices.length === 0 ? null : <div class="columns-of-file">{choices}</div>;
}

function MissingColumn({ field }: { field: string }): VNode {
  return (
    <Notice
      kind="warning"
      title={t("No column is imported as “{field}”", { field: toColumnLabel(field) })}
    >
      <p>{t("You need this column to import new rows. Choose which column it is.")}</p>
    </Notice>
  );
}

function Choice({
  name,
  label,
  value,
  options,
}: {
  name: string;
  label: string;
  value: string;
  options: readonly Option[];
}): VNode {
  return (
    <div class="field">
      <label for={name} dir="auto">
        {label}
      </label>
      <select id={name} name={name}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

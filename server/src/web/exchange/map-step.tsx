import type { ComponentChildren, VNode } from "preact";
import { stylesOf, type Style } from "../../domain/exchange/cell-styles.js";
import { importFields, requiredFields } from "../../domain/exchange/import-kinds.js";
import type { ImportSettings } from "../../domain/exchange/import-settings.js";
import { delimiters, encodings } from "../../domain/exchange/read-csv.js";
import { meaningsOf } from "../../domain/exchange/read-money.js";
import { findChosen, readStyled } from "../../domain/exchange/read-values.js";
import { describeReading } from "../../domain/shared/change-set-texts.js";
import { quote } from "../../domain/shared/quote.js";
import type { Field } from "../../db/fields.js";
import { dateFormat, numberFormat } from "../../language/formats.js";
import { t, translated } from "../../language/translate.js";
import type { Option } from "../forms/controls.js";
import { toCurrencyLabel } from "../forms/place-choices.js";
import { Notice } from "../layout/notices.js";
import { toColumnLabel } from "../text/field-labels.js";
import { StepHeading } from "./step-heading.js";

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

/** The first step: the field of each column, and how to read it. */
export function MapStep({
  settings,
  wrong,
  ownCurrency,
  children,
}: {
  settings: ImportSettings;
  wrong: number;
  ownCurrency: string;
  children: ComponentChildren;
}): VNode {
  const { of, format, headings, columns, layout } = settings;
  const left = columns.filter((field) => field === null).length;
  const required = requiredFields[of];
  const isMissing = !columns.includes(required) && wrong > 0;
  const isOpen = isMissing || isPlaceOpen(settings) || findColumnsToCheck(settings).length > 0;
  return (
    <details id="map" class="import-step" open={isOpen}>
      <summary>
        <StepHeading number={1} title={t("Map columns")} />
        <span class="soft">
          {t("{count, plural, one {# column imported} other {# columns imported}}", {
            count: headings.length - left,
          })}
          {left > 0 && ` · ${t("{left} not imported", { left })}`}
          {layout !== undefined && ` · ${t("as from {layout}", { layout })}`}
        </span>
      </summary>
      {isMissing && <MissingColumn field={required} />}
      <Questions columns={findOpenColumns(settings).length} />
      <ColumnTable settings={settings} ownCurrency={ownCurrency} />
      {children}
      <FormatOfFile format={format} />
      <UpdateButton step="map" />
    </details>
  );
}

/** Submits the answers of both steps. */
export function UpdateButton({ step }: { step: "map" | "fix" }): VNode {
  return (
    <button type="submit" class="quiet" name="step" value={step}>
      {t("Update preview")}
    </button>
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

export function nameColumn(heading: string, at: number): string {
  return heading === "" ? t("Column {number}", { number: at + 1 }) : heading;
}

/** The columns that wait for the person to choose their meaning. */
export function findOpenColumns(settings: ImportSettings): number[] {
  const { unclear = [], styles = [], sharedSigns = [], signCurrencies = [] } = settings;
  return settings.columns.flatMap((_, at) => {
    const cell = unclear[at] ?? null;
    const isOpen = cell !== null && (cell.shown ?? styles[at] ?? null) === null;
    return isOpen || (sharedSigns[at] != null && signCurrencies[at] == null) ? [at] : [];
  });
}

/** Nothing decides yet where the assets belong. */
export function isPlaceOpen({ of, columns, place = null, missingPlaces }: ImportSettings): boolean {
  if (of !== "assets" || place !== null) return false;
  return missingPlaces !== undefined || !columns.includes("workspace_id");
}

/** The columns that are imported as a guess. */
export function findColumnsToCheck(settings: ImportSettings): number[] {
  const { columns, doubtful = [], onlyCurrencies = [], usualCurrencies = [] } = settings;
  const { unknown = [], chosenValues = [], place = null, missingPlaces } = settings;
  const open = findOpenColumns(settings);
  return columns.flatMap((field, at) => {
    if (field === null) return [];
    const isAssumed = onlyCurrencies[at] != null && usualCurrencies[at] == null;
    const isUnknown = unknown.some((one) => one.field === field && !findChosen(chosenValues, one));
    const isMissing = field === "workspace_id" && place === null && missingPlaces !== undefined;
    const isOpen = doubtful.includes(at) || open.includes(at);
    return isOpen || isAssumed || isUnknown || isMissing ? [at] : [];
  });
}

function Questions({ columns }: { columns: number }): VNode | null {
  if (columns === 0) return null;
  return (
    <Notice
      kind="warning"
      title={t("Choose how to read {columns, plural, one {# column} other {# columns}}", {
        columns,
      })}
    >
      <p>
        {t(
          "Some values can be read in more than one way. Choose one and update the preview. Until then, their rows aren't imported.",
        )}
      </p>
    </Notice>
  );
}

function ColumnTable({
  settings,
  ownCurrency,
}: {
  settings: ImportSettings;
  ownCurrency: string;
}): VNode {
  const { of, headings, columns, samples = [] } = settings;
  const fields = Object.keys(importFields[of]).map((value) => ({
    value,
    label: toColumnLabel(value),
  }));
  const toCheck = findColumnsToCheck(settings);
  return (
    <table class="import-map">
      <thead>
        <tr>
          <th scope="col">{t("Column")}</th>
          <th scope="col">{t("First values")}</th>
          <th scope="col">{t("Import as")}</th>
          <th scope="col">{t("Result")}</th>
        </tr>
      </thead>
      <tbody>
        {headings.map((heading, at) => (
          <tr key={at}>
            <th scope="row" dir="auto">
              <label for={`column_${at}`}>{nameColumn(heading, at)}</label>
            </th>
            <td class="soft" dir="auto">
              {(samples[at] ?? []).map(quote).join(" · ")}
            </td>
            <td>
              <Picker
                name={`column_${at}`}
                value={columns[at] ?? ""}
                options={[{ value: "", label: t("Don't import") }, ...fields]}
              />
              <StyleChoice settings={settings} at={at} />
              <SignChoice settings={settings} at={at} />
              <CurrencyChoice settings={settings} at={at} ownCurrency={ownCurrency} />
            </td>
            <td>
              <Certainty isImported={columns[at] != null} isToCheck={toCheck.includes(at)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Certainty(props: { isImported: boolean; isToCheck: boolean }): VNode {
  if (props.isImported && props.isToCheck)
    return <span class="tag check">{t("Please check")}</span>;
  return <span class="soft">{props.isImported ? t("Matched") : t("Not imported")}</span>;
}

/** The meaning of a column's ambiguous cells. */
function StyleChoice({ settings, at }: { settings: ImportSettings; at: number }): VNode | null {
  const { of, columns, unclear = [], styles = [] } = settings;
  const one = unclear[at] ?? null;
  const field = importFields[of][columns[at] ?? ""];
  if (one === null || field === undefined) return null;
  const readings = readStyled(field, one.sample);
  const options = stylesOf(field).map((style) => ({
    value: style,
    label: describeReading(readings[style] ?? one.sample),
  }));
  const value = styles[at] ?? one.shown ?? suggestStyle(field);
  const label = t("{sample} is", { sample: quote(one.sample) });
  return <Choice name={`style_${at}`} label={label} value={value} options={options} />;
}

/** How the reader's language writes numbers and dates. */
function suggestStyle({ kind }: Field): Style {
  if (kind === "day") {
    const february13 = Date.UTC(2000, 1, 13);
    const written = dateFormat({ day: "numeric", month: "numeric", timeZone: "UTC" });
    return written.format(february13).startsWith("2") ? "month_first" : "day_first";
  }
  const parts = numberFormat({}).formatToParts(1.5);
  return parts.some(({ type, value }) => type === "decimal" && value === ",") ? "comma" : "point";
}

/** The currency of a sign shared by several, such as "$". */
function SignChoice({ settings, at }: { settings: ImportSettings; at: number }): VNode | null {
  const sign = settings.sharedSigns?.[at] ?? null;
  if (sign === null || settings.columns[at] === null) return null;
  const options = meaningsOf(sign).map((code) => ({ value: code, label: toCurrencyLabel(code) }));
  return (
    <Choice
      name={`sign_${at}`}
      label={t("{sample} is", { sample: quote(sign) })}
      value={settings.signCurrencies?.[at] ?? ""}
      options={[{ value: "", label: t("Choose one") }, ...options]}
    />
  );
}

/** In a column in which only some amounts have a currency, the currency of the others. */
function CurrencyChoice({
  settings: { onlyCurrencies = [], usualCurrencies = [] },
  at,
  ownCurrency,
}: {
  settings: ImportSettings;
  at: number;
  ownCurrency: string;
}): VNode | null {
  const only = onlyCurrencies[at] ?? null;
  if (only === null) return null;
  return (
    <Choice
      name={`currency_${at}`}
      label={t("Amounts without a currency are in")}
      value={usualCurrencies[at] ?? only}
      options={[only, ownCurrency].map((code) => ({ value: code, label: code }))}
    />
  );
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

interface PickerProps {
  name: string;
  value: string;
  options: readonly Option[];
}

export function Choice({ label, ...picker }: PickerProps & { label: ComponentChildren }): VNode {
  return (
    <div class="field">
      <label for={picker.name} dir="auto">
        {label}
      </label>
      <Picker {...picker} />
    </div>
  );
}

function Picker({ name, value, options }: PickerProps): VNode {
  return (
    <select id={name} name={name}>
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

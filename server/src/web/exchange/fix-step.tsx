import type { VNode } from "preact";
import type { ListedRow } from "../../domain/history/change-set-rows.js";
import type { ImportKind } from "../../domain/exchange/import-kinds.js";
import type { ImportSettings, UnknownValue } from "../../domain/exchange/import-settings.js";
import type { RowDetails } from "../../domain/exchange/plan-rows.js";
import { choicesOf } from "../../domain/exchange/read-choices.js";
import { findChosen } from "../../domain/exchange/read-values.js";
import type { Fields } from "../../domain/shared/refusals.js";
import { quote } from "../../domain/shared/quote.js";
import { t } from "../../language/translate.js";
import { DifferenceRow, Problems } from "../history/changes/undone-list.js";
import { Pager } from "../lists/pager.js";
import { toColumnLabel } from "../text/field-labels.js";
import { withColon } from "../text/format.js";
import { valueLabelsOf } from "../text/value-labels.js";
import { Choice, nameColumn, UpdateButton } from "./map-step.js";
import { StepHeading } from "./step-heading.js";

export const valueName = ({ field, word }: UnknownValue) => `value_${field}_${word}`;
const cellName = (line: number, at: number) => `cell_${line}_${at}`;

/** The second step: values that aren't recognized, and rows that can't be imported. */
export function FixStep({
  settings,
  wrong,
  rows,
  next,
  path,
}: {
  settings: ImportSettings;
  wrong: number;
  /** Some of the wrong rows. */
  rows: readonly ListedRow[];
  next: number | undefined;
  path: string;
}): VNode {
  const { unknown = [] } = settings;
  return (
    <section id="fix" class="import-step" aria-labelledby="fix-title">
      <StepHeading id="fix-title" number={2} title={t("Fix problems")} />
      {unknown.length + wrong === 0 && <p class="soft">{t("Nothing to fix.")}</p>}
      {unknown.length > 0 && <UnknownValues settings={settings} unknown={unknown} />}
      {wrong > 0 && (
        <>
          <h3>
            {t("{count, plural, one {# row with errors} other {# rows with errors}}", {
              count: wrong,
            })}
          </h3>
          <ul class="differences">
            {rows.map((row) => (
              <WrongRow key={row.line} row={row} settings={settings} />
            ))}
          </ul>
          <Pager
            path={path}
            query={new URLSearchParams()}
            nextCursor={next?.toString()}
            parameter="fix"
          />
        </>
      )}
      {unknown.length + wrong > 0 && (
        <p class="app-actions">
          <UpdateButton step="fix" />
          {wrong > 0 && <DownloadErrors path={path} count={wrong} />}
        </p>
      )}
    </section>
  );
}

export function DownloadErrors({ path, count }: { path: string; count: number }): VNode {
  return (
    <a class="button quiet" href={`${path}/errors.csv`} download>
      {t("Download {count, plural, one {the row with errors} other {the # rows with errors}}", {
        count,
      })}
    </a>
  );
}

function UnknownValues({
  settings: { of, chosenValues = [] },
  unknown,
}: {
  settings: ImportSettings;
  unknown: readonly UnknownValue[];
}): VNode {
  const optionsOf = (field: string) =>
    choicesOf(of, field).map((value) => ({
      value,
      label: valueLabelsOf(field)[value] ?? value,
    }));
  return (
    <>
      <h3>{t("Values we don't know")}</h3>
      <p class="soft">{t("They're left out unless you choose a value.")}</p>
      <div class="columns-of-file">
        {unknown.map((one) => (
          <Choice
            key={valueName(one)}
            name={valueName(one)}
            label={t("{field} {text} ({rows, plural, one {# row} other {# rows}})", {
              field: withColon(toColumnLabel(one.field)),
              text: quote(one.text),
              rows: one.rows,
            })}
            value={findChosen(chosenValues, one)?.value ?? ""}
            options={[{ value: "", label: t("Leave out") }, ...optionsOf(one.field)]}
          />
        ))}
      </div>
    </>
  );
}

export function nameRow({ line, name }: ListedRow): string {
  return name === "" ? t("Line {line}", { line }) : t("Line {line}: {name}", { line, name });
}

/** A wrong row, with the cells that its errors are about. */
function WrongRow({ row, settings }: { row: ListedRow; settings: ImportSettings }): VNode {
  const { line, details } = row;
  const { problems = [], cells } = details as RowDetails;
  const columns = cells === undefined ? [] : findColumns(settings, problems);
  return (
    <DifferenceRow name={nameRow(row)}>
      <Problems problems={problems} />
      {columns.length > 0 && (
        <div class="field-row">
          {columns.map((at) => (
            <div class="field" key={at}>
              <label for={cellName(line, at)} dir="auto">
                {nameColumn(settings.headings[at] ?? "", at)}
                <span class="visually-hidden"> {t("in line {line}", { line })}</span>
              </label>
              <input
                id={cellName(line, at)}
                name={cellName(line, at)}
                type="text"
                value={cells?.[at] ?? ""}
                autocomplete="off"
                dir="auto"
              />
            </div>
          ))}
        </div>
      )}
    </DifferenceRow>
  );
}

/** The field that two rows of a file share, if they have the same number. */
const keyFields: Record<ImportKind, string> = {
  assets: "inventory_number",
  tasks: "task_number",
  people: "email",
  workspaces: "name",
};

/** How to read a column is chosen for the whole column. */
function findColumns(
  { of, columns, sharedSigns = [] }: ImportSettings,
  problems: NonNullable<RowDetails["problems"]>,
): number[] {
  const fields = problems.flatMap(({ key, params }) => {
    const { field, otherField, text }: Fields & { text?: string } = params;
    const isAsked = key === "currency_unclear" && sharedSigns.some((sign) => sign === text);
    if (key === "same_number_in_file") return [keyFields[of]];
    return isAsked || key === "cell_ambiguous" ? [] : [field, otherField];
  });
  return columns.flatMap((name, at) => (name !== null && fields.includes(name) ? [at] : []));
}

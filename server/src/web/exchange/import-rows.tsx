import type { VNode } from "preact";
import type { RowOutcome } from "../../db/entities/history.js";
import type { Caller } from "../../domain/access/caller.js";
import { nowOf } from "../../domain/access/clock.js";
import type { ListedRow } from "../../domain/history/change-set-rows.js";
import type { ChangeSetRecord } from "../../domain/history/change-sets.js";
import type { ImportSettings } from "../../domain/exchange/import-settings.js";
import { importFields, type ImportKind } from "../../domain/exchange/import-kinds.js";
import { rowKinds, type RowDetails } from "../../domain/exchange/plan-rows.js";
import type { RowValues } from "../../domain/exchange/read-values.js";
import { quote } from "../../domain/shared/quote.js";
import { t, translated } from "../../language/translate.js";
import { importAddress } from "../history/changes/addresses.js";
import { Changes, DifferenceRow, Problems } from "../history/changes/undone-list.js";
import { toChangedValue } from "../history/history-values.js";
import { toAddress, Pager } from "../lists/pager.js";
import { toFieldLabel } from "../text/field-labels.js";
import { withColon } from "../text/format.js";
import { nameRow } from "./fix-step.js";
import { canChange } from "./import-steps.js";

export interface ImportView {
  caller: Caller;
  set: ChangeSetRecord;
  settings: ImportSettings;
  outcome: RowOutcome | undefined;
  rows: ListedRow[];
  next: number | undefined;
  after: string;
  /** Some wrong rows of a plan that can still change. */
  fixes: { rows: ListedRow[]; next?: number };
  kept: { rows: ListedRow[]; next?: number };
  /** The counts of its finished undo. */
  undone: ChangeSetRecord["counts"] | undefined;
  /** The number of imported assets that are retired, and so hidden from the list. */
  retired: number;
  /** The names of the existing workspaces, while the plan can change. */
  workspaces: string[];
}

const outcomeLabels: Record<RowOutcome, string> = translated({
  create: "New",
  update: "Changed",
  same: "Unchanged",
  wrong: "Wrong",
  conflict: "Conflict",
});

export function Rows(view: ImportView): VNode {
  const { caller, set, settings, outcome, rows, next, after } = view;
  const path = `${importAddress}/${set.id}`;
  const query = new URLSearchParams({
    ...(outcome !== undefined && { show: outcome }),
    ...(after !== "" && { after }),
  });
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">{t("Rows")}</h2>
      <OutcomeLinks
        path={path}
        present={outcome}
        counts={set.counts}
        wrongAt={canChange(set, settings) ? "#fix" : undefined}
      />
      {rows.length === 0 && (
        <p class="soft">
          {canChange(set, settings) && outcome === undefined
            ? t("No rows without errors yet. Fix them in step 2.")
            : t("No rows with this result.")}
        </p>
      )}
      <ul class="differences">
        {rows.map((row) => (
          <ImportedRow
            key={row.line}
            row={row}
            of={settings.of}
            caller={caller}
            mark={toMark(row, view)}
          />
        ))}
      </ul>
      <Pager path={path} query={query} nextCursor={next?.toString()} parameter="after" />
    </section>
  );
}

function OutcomeLinks({
  path,
  present,
  counts,
  wrongAt,
}: {
  path: string;
  present: RowOutcome | undefined;
  counts: ChangeSetRecord["counts"];
  /** Where wrong rows are, if not in this list. */
  wrongAt: string | undefined;
}): VNode {
  const choices = [undefined, "create", "update", "same", "wrong"] as const;
  return (
    <nav class="quick-views" aria-label={t("Rows by result")}>
      <ul>
        {choices.map((one) => (
          <li key={one}>
            <a
              href={
                one === "wrong" && wrongAt !== undefined
                  ? wrongAt
                  : toAddress(path, new URLSearchParams(one && { show: one }))
              }
              aria-current={one === present ? "true" : undefined}
            >
              {one === undefined ? t("All") : `${outcomeLabels[one]} (${counts[one] ?? 0})`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function toMark({ outcome, stored, subject_id: id }: ListedRow, view: ImportView): string {
  const { undone, kept } = view;
  if (stored && undone !== undefined && kept.next === undefined) {
    return kept.rows.some((row) => row.subject_id === id) ? t("Kept") : t("Undone");
  }
  return stored && outcome === "create" ? t("Added") : outcomeLabels[outcome];
}

function ImportedRow({
  row,
  of,
  caller,
  mark,
}: {
  row: ListedRow;
  of: ImportKind;
  caller: Caller;
  mark: string;
}): VNode {
  const { outcome, subject_id: id } = row;
  const { changes = [], isRetired, problems, values = {}, leftOut } = row.details as RowDetails;
  return (
    <DifferenceRow name={nameRow(row)} href={toHref(id)} mark={mark}>
      <Changes changes={changes} caller={caller} />
      {isRetired && <p class="soft">{t("Retired")}</p>}
      {outcome === "create" && (
        <p class="soft" dir="auto">
          {describeValues(of, values, caller)}
        </p>
      )}
      {leftOut?.map(({ field, text }) => (
        <p class="conflict" key={field}>
          {t("{field} {text} isn't recognized and is left out.", {
            field: withColon(toFieldLabel(field)),
            text: quote(text),
          })}
        </p>
      ))}
      <Problems problems={problems} />
    </DifferenceRow>
  );
}

/** The values as read, without those in the row's name. */
function describeValues(of: ImportKind, values: RowValues, caller: Caller): string {
  const currency = typeof values["currency"] === "string" ? values["currency"] : caller.currency;
  const style = { now: nowOf(caller), currency };
  return (
    Object.keys(importFields[of])
      // Amounts show their currency.
      .filter((field) => values[field] !== undefined && field !== "currency")
      .filter((field) => rowKinds[of].nameOf({ [field]: values[field] }) === "")
      .map((field) => [toFieldLabel(field), toChangedValue(field, values[field], style)] as const)
      .map(([heading, text]) => `${withColon(heading)} ${text}`)
      .join(" · ")
  );
}

function toHref(id: string | null): string | undefined {
  if (id?.startsWith("ast_") === true) return `/assets/${id}`;
  return id?.startsWith("tsk_") === true ? `/tasks/${id}` : undefined;
}

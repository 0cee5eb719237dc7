import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { rowOutcomes, type RowOutcome } from "../../db/entities/history.js";
import type { Caller } from "../../domain/access/caller.js";
import { nowOf } from "../../domain/access/clock.js";
import { listRows, type ListedRow } from "../../domain/history/change-set-rows.js";
import type { ChangeSetRecord } from "../../domain/history/change-sets.js";
import { guard } from "../../domain/exchange/cell-texts.js";
import { importFields, type ImportKind } from "../../domain/exchange/import-kinds.js";
import type { ImportSettings } from "../../domain/exchange/import-settings.js";
import { getImport } from "../../domain/exchange/imports.js";
import type { RowDetails } from "../../domain/exchange/plan-rows.js";
import type { RowValues } from "../../domain/exchange/read-values.js";
import { writeCsv } from "../../domain/exchange/write-csv.js";
import { listWrongRows } from "../../domain/exchange/wrong-rows.js";
import { currentLocale, inLocale } from "../../language/locale.js";
import { quote } from "../../domain/shared/quote.js";
import { t, translated, tRich } from "../../language/translate.js";
import { changeSetAddress, importAddress } from "../history/changes/addresses.js";
import { KeptList, nameOfSet, SetState } from "../history/changes/change-set-page.js";
import {
  Changes,
  describeProblem,
  DifferenceRow,
  Problems,
} from "../history/changes/undone-list.js";
import { PostForm } from "../forms/controls.js";
import { readText } from "../forms/form-fields.js";
import { toChangedValue } from "../history/history-values.js";
import { Page } from "../layout/layout.js";
import { EmptyState, Notice } from "../layout/notices.js";
import { PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { toAddress, Pager } from "../lists/pager.js";
import { inTurns, streamWhileAuthorized } from "../lists/stream-while-authorized.js";
import { routeLimit } from "../../traffic/bounds.js";
import { toFieldLabel } from "../text/field-labels.js";
import { formatNumber, withColon } from "../text/format.js";
import { DownloadErrors, nameRow } from "./fix-step.js";
import { canChange, Steps } from "./import-steps.js";
import { findOpenColumns } from "./map-step.js";
import { kindLabels } from "./new-import.js";

const perPage = 100;
const fixedPerPage = 20;

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
  kept: ListedRow[];
}

/** `/import/:id`: each row's changes, the approval and, afterwards, the undo. */
export const importPages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>(`${importAddress}/:id`, async (request, reply) => {
    const view = await readView(request, request.params.id);
    const { state, is_resting: isResting } = view.set;
    const isUnfinished = state === "reading" || state === "applying";
    if (isUnfinished && !isResting) reply.header("refresh", "3");
    return sendPage(reply, <ImportPage {...view} />);
  });
  const config = { rateLimit: routeLimit("list-export") };
  app.get<{ Params: { id: string } }>(
    `${importAddress}/:id/errors.csv`,
    { config },
    async (request, reply) => {
      const { id } = request.params;
      const set = await getImport(request.db, callerOf(request), id);
      const { headings } = set.settings as ImportSettings;
      const locale = currentLocale();
      const batches = listWrongRows(request.db, callerOf(request), set, (problems = []) =>
        inLocale(locale, () => problems.map(describeProblem).join(" ")),
      );
      const rows = streamWhileAuthorized(reply, inTurns(request, batches), 1);
      return reply
        .type("text/csv; charset=utf-8; header=present")
        .header("content-disposition", `attachment; filename="fettle-errors-${id}.csv"`)
        .send(
          Readable.from(writeCsv([...headings.map(guard), t("Errors")], rows), {
            objectMode: false,
          }),
        );
    },
  );
};

async function readView(request: FastifyRequest, id: string): Promise<ImportView> {
  const caller = callerOf(request);
  const db = request.db;
  const set = await getImport(db, caller, id);
  const settings = set.settings as ImportSettings;
  const outcome = rowOutcomes.find((one) => one === readText(request.query, "show"));
  const after = readLine(request, "after");
  const isOpen = canChange(set, settings);
  const wrong = { outcome: "wrong", after: Number(readLine(request, "fix")) } as const;
  const [{ rows, next }, fixes, kept] = await Promise.all([
    listRows(db, caller, id, {
      ...{ outcome, after: Number(after), limit: perPage },
      // The second step lists them.
      ...(isOpen && { except: "wrong" }),
    }),
    isOpen ? listRows(db, caller, id, { ...wrong, limit: fixedPerPage }) : { rows: [] },
    set.undone_by === null
      ? { rows: [] }
      : listRows(db, caller, set.undone_by, { outcome: "conflict", after: 0, limit: perPage }),
  ]);
  return { caller, set, settings, outcome, rows, next, after, fixes, kept: kept.rows };
}

function readLine({ query }: FastifyRequest, name: string): string {
  return /^\d{1,7}$/.exec(readText(query, name))?.[0] ?? "";
}

function ImportPage(view: ImportView): VNode {
  const { set, settings, kept } = view;
  const title = t("Import of {name}", { name: nameOfSet(set) });
  const crumbs = [{ href: importAddress, label: t("Import") }];
  return (
    <Page title={title} width="wide" current={importAddress}>
      <PageHead title={title} crumbs={crumbs} facts={toFacts(set, settings)} />
      <SetState set={set} />
      {kept.length > 0 && (
        <section aria-labelledby="kept">
          <h2 id="kept">{t("Kept because of a conflict")}</h2>
          <KeptList rows={kept} />
        </section>
      )}
      <Progress {...view} />
      {canChange(set, settings) ? (
        <Steps {...view}>
          <Summary {...view} />
          <Actions {...view} />
          <Rows {...view} />
        </Steps>
      ) : (
        <>
          <Summary {...view} />
          <Actions {...view} />
          {set.state !== "reading" && <Rows {...view} />}
        </>
      )}
    </Page>
  );
}

function toFacts({ client_name: client }: ChangeSetRecord, { of }: ImportSettings): string {
  if (client === null) return kindLabels[of];
  return `${kindLabels[of]} · ${t("prepared by {client}", { client })}`;
}

function Progress({ set, settings }: ImportView): VNode | null {
  const { state, counts } = set;
  if (state !== "reading" && state !== "applying") return null;
  const isReading = state === "reading";
  const good = (counts["create"] ?? 0) + (counts["update"] ?? 0);
  const [done, all] = isReading
    ? [counts["rows"] ?? 0, settings.rows]
    : [(counts["stored"] ?? 0) + (counts["refused"] ?? 0), good];
  return (
    <Notice title={isReading ? t("Checking rows") : t("Importing rows")}>
      <p role="status">
        {t("{done} of {all, plural, one {# row} other {# rows}}.", {
          done: formatNumber(done),
          all,
        })}{" "}
        {!set.is_resting && t("This page updates automatically.")}
      </p>
      <progress value={done} max={Math.max(all, 1)} aria-label={t("Progress")} />
      {set.is_resting && (
        <PostForm action={`${importAddress}/${set.id}/continue`}>
          <p>{t("It's waiting for other work, or was interrupted. Completed changes are kept.")}</p>
          <button type="submit">{t("Continue")}</button>
        </PostForm>
      )}
    </Notice>
  );
}

function describeNothing(wrong: number): string {
  return wrong === 0
    ? t("Nothing changes.")
    : t("Nothing to import yet: {count, plural, one {# row needs} other {# rows need}} fixing.", {
        count: wrong,
      });
}

/** The outcome of all rows, as text. */
function Summary({ set }: ImportView): VNode | null {
  const { state, counts } = set;
  if (state === "reading") return null;
  const count = (name: string) => counts[name] ?? 0;
  if (state === "planned" || state === "applying") {
    const isNothing = count("create") + count("update") === 0;
    return (
      <p class="import-summary">
        {isNothing && <strong>{describeNothing(count("wrong"))} </strong>}
        {t("{create} new, {update} changed, {same} unchanged, {wrong} wrong.", {
          create: count("create"),
          update: count("update"),
          same: count("same"),
          wrong: count("wrong"),
        })}{" "}
        {count("retired") > 0 &&
          t("{retired, plural, one {# unchanged asset} other {# unchanged assets}} retired.", {
            retired: count("retired"),
          })}
      </p>
    );
  }
  return (
    <p class="import-summary" role="status">
      {tRich(
        "<b>{stored, plural, one {# row imported} other {# rows imported}}</b>, {same} unchanged, {wrong} not imported because of errors.",
        {
          stored: count("stored"),
          same: count("same"),
          wrong: count("wrong") + count("refused"),
          b: (words) => <strong>{words}</strong>,
        },
      )}
    </p>
  );
}

function describeImport(of: ImportKind, count: number): string {
  if (of === "tasks") return t("Import {count, plural, one {# task} other {# tasks}}", { count });
  if (of === "people")
    return t("Import {count, plural, one {# person} other {# people}}", { count });
  if (of === "workspaces")
    return t("Import {count, plural, one {# workspace} other {# workspaces}}", { count });
  return t("Import {count, plural, one {# asset} other {# assets}}", { count });
}

function Actions(view: ImportView): VNode | null {
  const { set, settings } = view;
  if (set.state === "applied") return <AppliedActions {...view} />;
  if (set.state !== "planned") return null;
  const { create = 0, update = 0, wrong = 0 } = set.counts;
  const good = create + update;
  if (good === 0) return <NothingYet {...view} />;
  return (
    <PostForm action={`${importAddress}/${set.id}/apply`}>
      <p class="soft">
        {wrong > 0
          ? t(
              "Imports {good, plural, one {# row} other {# rows}} and skips {wrong, plural, one {# row} other {# rows}} with errors. You can undo it.",
              { good, wrong },
            )
          : t("Imports {good, plural, one {# row} other {# rows}}. You can undo it.", { good })}
      </p>
      <button type="submit">
        {describeImport(settings.of, good)}
        <span class="visually-hidden"> ({t("Apply")})</span>
      </button>
    </PostForm>
  );
}

function AppliedActions({ set, settings }: ImportView): VNode {
  const errors = (set.counts["wrong"] ?? 0) + (set.counts["refused"] ?? 0);
  const isUndone = (set.undone_by ?? set.being_undone_by) !== null;
  return (
    <div class="actions">
      {!isUndone && (
        <>
          <PostForm action={`${changeSetAddress(set.id)}/undo`}>
            <button type="submit" class="quiet">
              {t("Undo")}
            </button>
          </PostForm>
          <a class="button quiet" href={changeSetAddress(set.id)}>
            {t("View changes")}
          </a>
        </>
      )}
      {errors > 0 && settings.format.format !== "values" && (
        <DownloadErrors path={`${importAddress}/${set.id}`} count={errors} />
      )}
    </div>
  );
}

/** The next step of a plan without rows to store. */
function NothingYet({ set, settings }: ImportView): VNode | null {
  const wrong = set.counts["wrong"] ?? 0;
  const columns = findOpenColumns(settings).length;
  if (!canChange(set, settings)) return null;
  if (columns > 0) {
    return (
      <a class="button" href="#map">
        {t("Choose how to read {columns, plural, one {# column} other {# columns}}", { columns })}
      </a>
    );
  }
  return wrong === 0 ? (
    <a class="button" href={importAddress}>
      {t("Import another file")}
    </a>
  ) : (
    <a class="button" href="#fix">
      {t("Fix {count, plural, one {# row} other {# rows}}", { count: wrong })}
    </a>
  );
}

const outcomeLabels: Record<RowOutcome, string> = translated({
  create: "New",
  update: "Changed",
  same: "Unchanged",
  wrong: "Wrong",
  conflict: "Conflict",
});

function Rows({ caller, set, settings, outcome, rows, next, after }: ImportView): VNode {
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
        <EmptyState title={t("Row not found")}>
          <p>{t("No rows with this result.")}</p>
        </EmptyState>
      )}
      <ul class="differences">
        {rows.map((row) => (
          <ImportedRow key={row.line} row={row} of={settings.of} caller={caller} />
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

function ImportedRow({
  row,
  of,
  caller,
}: {
  row: ListedRow;
  of: ImportKind;
  caller: Caller;
}): VNode {
  const { outcome, name, subject_id: id, stored } = row;
  const { changes = [], isRetired, problems, values = {}, leftOut } = row.details as RowDetails;
  const mark = stored && outcome === "create" ? t("Added") : outcomeLabels[outcome];
  return (
    <DifferenceRow name={nameRow(row)} href={toHref(id)} mark={mark}>
      <Changes changes={changes} caller={caller} />
      {isRetired && <p class="soft">{t("Retired")}</p>}
      {outcome === "create" && (
        <p class="soft" dir="auto">
          {describeValues(of, values, { name, caller })}
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

/** The values as read, without the row's name. */
function describeValues(
  of: ImportKind,
  values: RowValues,
  { name, caller }: { name: string; caller: Caller },
): string {
  const currency = typeof values["currency"] === "string" ? values["currency"] : caller.currency;
  const style = { now: nowOf(caller), currency };
  return (
    Object.keys(importFields[of])
      // Amounts show their currency.
      .filter((field) => values[field] !== undefined && field !== "currency")
      .map((field) => [toFieldLabel(field), toChangedValue(field, values[field], style)] as const)
      .filter(([, text]) => !name.includes(text))
      .map(([heading, text]) => `${withColon(heading)} ${text}`)
      .join(" · ")
  );
}

function toHref(id: string | null): string | undefined {
  if (id?.startsWith("ast_") === true) return `/assets/${id}`;
  return id?.startsWith("tsk_") === true ? `/tasks/${id}` : undefined;
}

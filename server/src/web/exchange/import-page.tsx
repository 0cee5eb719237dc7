import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { rowOutcomes } from "../../db/entities/history.js";
import { countRetired, listRows } from "../../domain/history/change-set-rows.js";
import { getChangeSet, type ChangeSetRecord } from "../../domain/history/change-sets.js";
import { guard } from "../../domain/exchange/cell-texts.js";
import type { ImportKind } from "../../domain/exchange/import-kinds.js";
import type { ImportSettings } from "../../domain/exchange/import-settings.js";
import { getImport } from "../../domain/exchange/imports.js";
import { writeCsv } from "../../domain/exchange/write-csv.js";
import { listWrongRows } from "../../domain/exchange/wrong-rows.js";
import { currentLocale, inLocale } from "../../language/locale.js";
import { t, tRich } from "../../language/translate.js";
import { changeSetAddress, importAddress } from "../history/changes/addresses.js";
import { KeptList, nameOfSet, SetState } from "../history/changes/change-set-page.js";
import { describeProblem } from "../history/changes/undone-list.js";
import { PostForm } from "../forms/controls.js";
import { readText } from "../forms/form-fields.js";
import { startAddress } from "../organizations/start.js";
import { findWorkspaceChoices } from "../../domain/organizations/workspace-choices.js";
import { Page } from "../layout/layout.js";
import { Notice } from "../layout/notices.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { toAddress } from "../lists/pager.js";
import { inTurns, streamWhileAuthorized } from "../lists/stream-while-authorized.js";
import { routeLimit } from "../../traffic/bounds.js";
import { formatNumber } from "../text/format.js";
import { DownloadErrors } from "./fix-step.js";
import { canChange, Steps } from "./import-steps.js";
import { PlaceNote } from "./place-choice.js";
import { findOpenColumns } from "./map-step.js";
import { kindLabels } from "./new-import.js";
import { Rows, type ImportView } from "./import-rows.js";

const perPage = 100;
const fixedPerPage = 20;

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
  const [{ rows, next }, fixes, kept, places, undo, retired] = await Promise.all([
    listRows(db, caller, id, {
      ...{ outcome, after: Number(after), limit: perPage },
      // The second step lists them.
      ...(isOpen && { except: "wrong" }),
    }),
    isOpen ? listRows(db, caller, id, { ...wrong, limit: fixedPerPage }) : { rows: [] },
    set.undone_by === null
      ? { rows: [] }
      : listRows(db, caller, set.undone_by, { outcome: "conflict", after: 0, limit: perPage }),
    isOpen ? findWorkspaceChoices(db, caller) : [],
    set.undone_by === null ? undefined : getChangeSet(db, caller, set.undone_by),
    set.state === "applied" ? countRetired(db, caller, id) : 0,
  ]);
  const workspaces = places.map(({ name }) => name);
  const listed = { outcome, rows, next, after, fixes, kept, workspaces };
  return { caller, set, settings, ...listed, undone: undo?.counts, retired };
}

function readLine({ query }: FastifyRequest, name: string): string {
  return /^\d{1,7}$/.exec(readText(query, name))?.[0] ?? "";
}

function ImportPage(view: ImportView): VNode {
  const { set, settings, kept, undone } = view;
  const title = t("Import of {name}", { name: nameOfSet(set) });
  const crumbs = [{ href: importAddress, label: t("Import") }];
  return (
    <Page title={title} width="wide" current={importAddress}>
      <PageHead title={title} crumbs={crumbs} facts={toFacts(set, settings)} />
      <SetState set={set} undone={undone && describeUndone(settings.of, undone)} />
      {kept.rows.length > 0 && (
        <section aria-labelledby="kept">
          <h2 id="kept">{t("Kept because of a conflict")}</h2>
          <KeptList rows={kept.rows} />
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
          {undone === undefined && <Summary {...view} />}
          <Actions {...view} />
          {set.state === "applied" && set.undone_by === null && <NextSteps {...view} />}
          {set.state !== "reading" && <Rows {...view} />}
        </>
      )}
    </Page>
  );
}

/** "Undone: 19 retired, 1 kept." */
function describeUndone(of: ImportKind, counts: ChangeSetRecord["counts"]): string {
  const { removed: count = 0, undone = 0, conflicts: kept = 0 } = counts;
  const restored = undone - count;
  const removed: Record<ImportKind, () => string> = {
    assets: () => t("{count, plural, one {# retired} other {# retired}}", { count }),
    tasks: () => t("{count, plural, one {# cancelled} other {# cancelled}}", { count }),
    people: () => t("{count, plural, one {# withdrawn} other {# withdrawn}}", { count }),
    workspaces: () => t("{count, plural, one {# deleted} other {# deleted}}", { count }),
  };
  const parts = [
    ...(count > 0 ? [removed[of]()] : []),
    ...(restored > 0
      ? [t("{count, plural, one {# restored} other {# restored}}", { count: restored })]
      : []),
    ...(kept > 0 ? [t("{count, plural, one {# kept} other {# kept}}", { count: kept })] : []),
  ];
  return parts.length === 0 ? t("Undone.") : t("Undone: {parts}.", { parts: parts.join(", ") });
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
      {canChange(set, settings) && <PlaceNote settings={settings} />}
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
          {settings.of === "assets" || settings.of === "tasks" ? (
            <a class="button quiet" href={`${changeSetAddress(set.id)}/undo`}>
              {t("Undo")}
            </a>
          ) : (
            <PostForm action={`${changeSetAddress(set.id)}/undo`}>
              <button type="submit" class="quiet">
                {t("Undo")}
              </button>
            </PostForm>
          )}
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

interface NextStepLink {
  href: string;
  label: string;
}

/** Where an import leads. Only owners and admins import, so they may take each step. */
function NextSteps({ set, settings: { of }, rows, retired }: ImportView): VNode | null {
  const { stored = 0 } = set.counts;
  if (stored === 0) return null;
  const ids = rows.flatMap(({ stored: isStored, subject_id: id }) => (isStored && id ? [id] : []));
  const labels = new URLSearchParams(ids.length === stored ? ids.map((id) => ["ids", id]) : []);
  const steps: Record<ImportKind, NextStepLink[]> = {
    assets: [
      { href: "/assets?sort=-created_at", label: t("View the assets") },
      { href: toAddress("/labels/new", labels), label: t("Print labels") },
      { href: startAddress, label: t("Add maintenance plans") },
      { href: "/settings/members/invite", label: t("Invite people") },
    ],
    tasks: [{ href: "/tasks", label: t("View the tasks") }],
    people: [{ href: "/settings/members", label: t("View the members") }],
    workspaces: [
      { href: "/workspaces", label: t("View the workspaces") },
      { href: "/import?kind=assets", label: t("Import assets") },
    ],
  };
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps">{t("Next steps")}</h2>
      {retired > 0 && (
        <p class="soft">
          {t("{listed} in the list, {retired} retired.", {
            listed: formatNumber(stored - retired),
            retired: formatNumber(retired),
          })}
        </p>
      )}
      <div class="actions">
        {steps[of].map(({ href, label }, at) => (
          <ActionLink key={href} href={href} quiet={at > 0}>
            {label}
          </ActionLink>
        ))}
      </div>
    </section>
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

import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { Tx } from "../../db/database.js";
import { unlessTooSlow } from "../../db/query-errors.js";
import { todayOf } from "../../domain/access/clock.js";
import { findFilesOf, findReportPictures, type ShownFile } from "../../domain/files/find-files.js";
import { decideReport, type Decided, type Decision } from "../../domain/reports/decide-report.js";
import {
  findMergeTargets,
  findOpenReports,
  findOwnReports,
  getReport,
  listDecidedReports,
  type ReportRow,
} from "../../domain/reports/find-reports.js";
import { findLoad } from "../../domain/tasks/plan-load.js";
import { t, tRich } from "../../language/translate.js";
import { changeInSet } from "../../domain/history/change-several.js";
import type { Caller } from "../../domain/access/caller.js";
import { personOptions } from "../forms/choices.js";
import { toOptions, type Option } from "../forms/controls.js";
import { useForm } from "../forms/form-context.js";
import type { Complete } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import type { FormRequest } from "../forms/form-spec.js";
import { ErrorSummary, type FormError } from "../layout/error-summary.js";
import { Page } from "../layout/layout.js";
import { EmptyState } from "../layout/notices.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { FilterForm, FilterSelect } from "../lists/filters.js";
import { toListQuery } from "../lists/list-query.js";
import { Pager } from "../lists/pager.js";
import { readQuery } from "../settings/settings-query.js";
import { countOf, lastDayOfWeek } from "../text/format.js";
import { choicesOf } from "../text/value-labels.js";
import { decisionFields, DecisionForms, type DecisionView } from "./decision-forms.js";
import {
  DecidedReports,
  decisionLabels,
  OpenReport,
  OwnReports,
  ReportCard,
} from "./report-cards.js";
import { requireMember } from "../../plugins/members.js";

const path = "/reports";

/** `/reports`: people's reports for those who decide on them, and the person's own reports. */
export const triagePages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(decisionForm);
  await app.register(decidedPage);
  app.get(path, async (request, reply) => {
    const caller = callerOf(request);
    const db = request.db;
    const [open, own] = await Promise.all([
      findOpenReports(db, caller),
      findOwnReports(db, caller),
    ]);
    const pictures = await findReportPictures(
      db,
      caller,
      open.map(({ id }) => id),
    );
    const { openReports } = request;
    return sendPage(
      reply,
      <Page title={t("Reports")} width="wide" current={path}>
        <PageHead
          title={t("Reports")}
          {...(openReports !== undefined && {
            actions: (
              <ActionLink quiet href={decidedPath}>
                {t("Reviewed reports")}
              </ActionLink>
            ),
          })}
        />
        {openReports !== undefined && <OpenReports open={open} pictures={pictures} />}
        <OwnReports reports={own} />
        {openReports === undefined && own.length === 0 && <NothingReported />}
      </Page>,
    );
  });
};

const decidedPath = `${path}/reviewed`;

/** `/reports/reviewed`: the decisions, with their person and the resulting task. */
const decidedPage: FastifyPluginAsync = async (app) => {
  app.get(decidedPath, async (request, reply) => {
    const values = readQuery(request.query, ["q", "status", "before"]);
    const { q, before } = values;
    const status = choicesOf(decisionLabels).find((one) => one === values.status);
    const listing = { query: q, status, before: before || undefined };
    const { reports, next } = await listDecidedReports(request.db, callerOf(request), listing);
    const isNarrowed = q !== "" || status !== undefined;
    return sendPage(
      reply,
      <Page title={t("Reviewed reports")} width="wide" current={`${path}/`}>
        <PageHead title={t("Reviewed reports")} crumbs={[{ href: path, label: t("Reports") }]} />
        {(isNarrowed || reports.length > 0) && (
          <FilterForm
            path={decidedPath}
            label={t("Reviewed reports")}
            q={q}
            searchLabel={t("Search by problem, asset or place")}
            isNarrowed={isNarrowed}
          >
            <FilterSelect
              name="status"
              label={t("Decision")}
              value={status ?? ""}
              any={t("All")}
              options={toOptions(decisionLabels)}
            />
          </FilterForm>
        )}
        {reports.length === 0 ? (
          <NoneReviewed isNarrowed={isNarrowed} />
        ) : (
          <DecidedReports reports={reports} />
        )}
        <Pager
          path={decidedPath}
          query={toListQuery({ q, status, before }, {})}
          nextCursor={next}
          parameter="before"
        />
      </Page>,
    );
  });
};

function NoneReviewed({ isNarrowed }: { isNarrowed: boolean }): VNode {
  if (!isNarrowed) {
    return (
      <EmptyState title={t("No reviewed reports yet")}>
        <p>{t("Decisions on reports appear here.")}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t("No reports match")}>
      <p>
        <ActionLink quiet href={decidedPath}>
          {t("Clear filters")}
        </ActionLink>
      </p>
    </EmptyState>
  );
}

type View = DecisionView & {
  files: readonly ShownFile[];
  /** The ids of the open reports before and after this one. */
  previous: string | undefined;
  next: string | undefined;
};

async function readView(
  { db, caller }: Pick<FormRequest, "db" | "caller">,
  report: ReportRow,
): Promise<View> {
  const [people, load, targets, files, open] = await Promise.all([
    personOptions(db, caller, report.workspace_id ?? undefined),
    findLoadOfWeek(db, caller),
    findMergeTargets(db, caller, report),
    findFilesOf(db, caller, { report_id: report.id }),
    findOpenReports(db, caller),
  ]);
  const place = open.findIndex(({ id }) => id === report.id);
  return {
    report,
    people: people.map((person) => withLoad(person, load.get(person.value))),
    targets,
    files,
    previous: open[place - 1]?.id,
    next: open[place + 1]?.id,
  };
}

/** Each person's open tasks until the end of the week, by person. Empty if that takes too long. */
async function findLoadOfWeek(db: Tx, caller: Caller): Promise<Map<string, number>> {
  const today = todayOf(caller);
  const due = { state: "open", due_to: lastDayOfWeek(today) } as const;
  const load = await unlessTooSlow(findLoad(db, caller, due, [today]));
  return new Map(load?.people.map(({ id, total }) => [id ?? "", total.tasks]));
}

/** "Gita Rao · 5 tasks this week". People without work have only their name. */
function withLoad(person: Option, tasks = 0): Option {
  if (person.typed === true || tasks === 0) return person;
  const values = { name: person.label, tasks: countOf(tasks, "task") };
  return { ...person, label: t("{name} · {tasks} this week", values) };
}

/** `/reports/:id`: one report, and the forms that decide on it. */
const decisionForm = formRoute({
  path: `${path}/:id`,
  open: ({ db, caller, id }: FormRequest) => getReport(db, caller, id),
  fields: decisionFields,
  check: ({ values }) => findMissing(values),
  change: (tx, { app, caller, id, given }): Promise<Decided & { set?: string }> => {
    const { mails, reportSecrets: secrets } = app.services;
    const decide = (by: Caller) => decideReport(tx, by, { mails, secrets }, id, toDecision(given));
    return given.decision === "accept" ? changeInSet(tx, caller, "task", decide) : decide(caller);
  },
  done: (decided, { app }) => {
    app.services.mails.announce();
    return seeOther(path, describeDecided(decided), linkTo(decided), { undo: decided.set });
  },
  page: async (form) => <ReportPage view={await readView(form, form.subject)} />,
});

type Given = Complete<typeof decisionFields>;

function findMissing(values: Partial<Record<keyof typeof decisionFields, string>>): FormError[] {
  const needed = {
    accept: ["title", "Enter a title."],
    merge: ["into", "Choose the matching task or report."],
    answer: ["answer", "Enter a reply."],
    refuse: ["reason", "Explain why no work is needed."],
  } as const;
  const decision = values.decision as keyof typeof needed | undefined;
  if (decision === undefined || !Object.hasOwn(needed, decision)) {
    return [{ message: t("Choose one of the buttons.") }];
  }
  const [field, message] = needed[decision];
  return (values[field] ?? "").trim() === "" ? [{ field, message: t(message) }] : [];
}

function toDecision(given: Given): Decision {
  const { decision = "accept", title = "", into = "", answer = "", reason = "" } = given;
  const { assigned_to_user_id, due_date, priority, restore = false } = given;
  switch (decision) {
    case "accept":
      return { kind: "accept", title, assigned_to_user_id, due_date, priority };
    case "merge":
      return { kind: "merge", into };
    case "answer":
      return { kind: "answer", answer, restore };
    case "refuse":
      return { kind: "refuse", answer: reason, restore };
  }
}

function describeDecided({ report, changed }: Decided): string {
  const values = { name: report.site_name };
  return changed.length === 0
    ? t("Report on {name} reviewed.", values)
    : t("Task created from the report on {name}.", values);
}

function linkTo({ taskId }: Decided) {
  return taskId === null ? undefined : { href: `/tasks/${taskId}`, label: t("View task") };
}

function OpenReports({
  open,
  pictures,
}: {
  open: readonly ReportRow[];
  pictures: ReadonlyMap<string, string>;
}): VNode {
  if (open.length === 0) {
    return (
      <EmptyState title={t("No reports to review")}>
        <p>
          {tRich(
            "Reported problems appear here. Let anyone report without an account under <a>Settings, Organization</a>.",
            { a: (words: ComponentChildren) => <a href="/settings/organization">{words}</a> },
          )}
        </p>
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="open-reports">
      <h2 id="open-reports">{countOf(open.length, "open report")}</h2>
      <ul class="things open-reports">
        {open.map((report) => (
          <OpenReport key={report.id} report={report} picture={pictures.get(report.id)} />
        ))}
      </ul>
    </section>
  );
}

function ReportPage({ view }: { view: View }): VNode {
  const { report, files, previous, next } = view;
  const title = t("Report on {name}", { name: report.site_name });
  return (
    <Page title={title} width="wide" current={`${path}/`}>
      <PageHead
        title={title}
        crumbs={[{ href: path, label: t("Reports") }]}
        actions={
          <>
            {previous !== undefined && (
              <ActionLink quiet href={`${path}/${previous}`}>
                {t("Previous report")}
              </ActionLink>
            )}
            {next !== undefined && (
              <ActionLink quiet href={`${path}/${next}`}>
                {t("Next report")}
              </ActionLink>
            )}
          </>
        }
      />
      <ReportCard report={report} files={files} />
      {report.status === "open" ? (
        <DecisionForms {...view} />
      ) : (
        <ErrorSummary errors={useForm().errors} />
      )}
    </Page>
  );
}

function NothingReported(): VNode {
  return (
    <EmptyState title={t("No reports yet")}>
      <p>
        {t(
          "To report a problem, scan the asset's label or open its page, and choose “Report a problem”.",
        )}
      </p>
    </EmptyState>
  );
}

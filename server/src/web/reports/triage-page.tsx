import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { findFilesOf, type ShownFile } from "../../domain/files/find-files.js";
import { decideReport, type Decided, type Decision } from "../../domain/reports/decide-report.js";
import {
  findMergeTargets,
  findOpenReports,
  findOwnReports,
  getReport,
  type ReportRow,
} from "../../domain/reports/find-reports.js";
import { t, tRich } from "../../language/translate.js";
import { personOptions } from "../forms/choices.js";
import { useForm } from "../forms/form-context.js";
import type { Complete } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import type { FormRequest } from "../forms/form-spec.js";
import { ErrorSummary, type FormError } from "../layout/error-summary.js";
import { Page } from "../layout/layout.js";
import { EmptyState } from "../layout/notices.js";
import { PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { countOf } from "../text/format.js";
import { decisionFields, DecisionForms, type DecisionView } from "./decision-forms.js";
import { OwnReports, ReportCard } from "./report-cards.js";
import { requireMember } from "../../plugins/members.js";

const path = "/reports";

/** `/reports`: people's reports for those who decide on them, and the person's own reports. */
export const triagePages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(decisionForm);
  app.get(path, async (request, reply) => {
    const caller = callerOf(request);
    const db = request.db;
    const [open, own] = await Promise.all([
      findOpenReports(db, caller),
      findOwnReports(db, caller),
    ]);
    const [first] = open;
    const chosen = first && (await readView({ db, caller }, first));
    const { openReports } = request;
    return sendPage(
      reply,
      <Page title={t("Reports")} width="wide" current={path}>
        <PageHead title={t("Reports")} />
        {openReports !== undefined && <OpenReports open={open} chosen={chosen} />}
        <OwnReports reports={own} />
        {openReports === undefined && own.length === 0 && <NothingReported />}
      </Page>,
    );
  });
};

type View = DecisionView & { files: readonly ShownFile[] };

async function readView(
  { db, caller }: Pick<FormRequest, "db" | "caller">,
  report: ReportRow,
): Promise<View> {
  const [people, targets, files] = await Promise.all([
    personOptions(db, caller),
    findMergeTargets(db, caller, report),
    findFilesOf(db, caller, { report_id: report.id }),
  ]);
  return { report, people, targets, files };
}

/** `/reports/:id`: one report, and the forms that decide on it. */
const decisionForm = formRoute({
  path: `${path}/:id`,
  open: ({ db, caller, id }: FormRequest) => getReport(db, caller, id),
  fields: decisionFields,
  check: ({ values }) => findMissing(values),
  change: (tx, { app, caller, id, given }) =>
    decideReport(
      tx,
      caller,
      { mails: app.services.mails, secrets: app.services.reportSecrets },
      id,
      toDecision(given),
    ),
  done: (decided, { app }) => {
    app.services.mails.announce();
    return seeOther(path, describeDecided(decided), linkTo(decided));
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

function describeDecided({ report, taskId }: Decided): string {
  const values = { name: report.asset_name };
  return taskId === null
    ? t("Report on {name} reviewed.", values)
    : t("Report on {name} accepted. Task:", values);
}

function linkTo({ taskId }: Decided) {
  return taskId === null ? undefined : { href: `/tasks/${taskId}`, label: t("View task") };
}

function OpenReports({
  open,
  chosen,
}: {
  open: readonly ReportRow[];
  chosen: View | undefined;
}): VNode {
  if (chosen === undefined) {
    return (
      <EmptyState title={t("No reports to review")}>
        <p>
          {tRich(
            "Problems reported from a label appear here. Let anyone report without an account under <a>Settings, Organization</a>.",
            { a: (words: ComponentChildren) => <a href="/settings/organization">{words}</a> },
          )}
        </p>
      </EmptyState>
    );
  }
  const others = open.filter(({ id }) => id !== chosen.report.id);
  return (
    <>
      <section aria-labelledby="next-report">
        <h2 id="next-report">{countOf(open.length, "open report")}</h2>
        <ReportCard report={chosen.report} files={chosen.files} />
        <DecisionForms {...chosen} />
      </section>
      {others.length > 0 && (
        <section aria-labelledby="other-reports">
          <h2 id="other-reports">{t("Then")}</h2>
          {others.map((report) => (
            <ReportCard key={report.id} report={report} isLinked />
          ))}
        </section>
      )}
    </>
  );
}

function ReportPage({ view }: { view: View }): VNode {
  const { report, files } = view;
  return (
    <Page
      title={t("Report on {name}", { name: report.asset_name })}
      width="wide"
      current={`${path}/`}
    >
      <PageHead title={t("Report")} crumbs={[{ href: path, label: t("Reports") }]} />
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

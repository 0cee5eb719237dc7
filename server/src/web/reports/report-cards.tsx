import type { VNode } from "preact";
import type { ShownFile } from "../../domain/files/find-files.js";
import type { ReportRow } from "../../domain/reports/find-reports.js";
import type { ReportStatus } from "../../db/entities/reports.js";
import { t, translated } from "../../language/translate.js";
import { Gallery } from "../files/gallery.js";
import { AssetPicture } from "../layout/asset-picture.js";
import { AlertBadge, AssetBadge } from "../layout/badges.js";
import { InventoryNumber } from "../layout/facts.js";
import { Moment } from "../layout/moment.js";
import { MoreActions } from "../layout/more-actions.js";
import { ActionLink, OfSubject } from "../layout/page-head.js";
import { describeMomentInFull } from "../text/format.js";
import { Markdown } from "../text/markdown.js";
import { PersonName } from "../text/person-name.js";
import { outcomeWords } from "../../domain/reports/outcome-words.js";

/** An open report in a row, with links to its decisions. */
export function OpenReport({
  report,
  picture,
}: {
  report: ReportRow;
  picture: string | undefined;
}): VNode {
  const { site_name: name, inventory_number, workspace_name, description } = report;
  const address = `/reports/${report.id}`;
  return (
    <li>
      <AssetPicture asset={{ name, category: null }} cover={picture} />
      <div>
        <a class="thing" href={address} dir="auto">
          {name}
        </a>{" "}
        {!report.still_usable && <AlertBadge>{t("Can't be used")}</AlertBadge>}
        <p class="said" dir="auto">
          {description}
        </p>
        <p class="soft file-line">
          {inventory_number !== null && <InventoryNumber>{inventory_number}</InventoryNumber>}
          <span dir="auto">{workspace_name ?? t("In no workspace")}</span>
          <Origin report={report} isAge />
        </p>
      </div>
      <div class="row-actions">
        <ActionLink href={address}>
          {t("Create task…")}
          <OfSubject name={name} />
        </ActionLink>
        <MoreActions>
          <a href={`${address}#answer`}>{t("Answer")}</a>
          <a href={`${address}#reason`}>{t("Refuse")}</a>
        </MoreActions>
      </div>
    </li>
  );
}

function siteAddress({ asset_id, workspace_id }: ReportRow): string {
  return asset_id === null ? `/workspaces/${workspace_id ?? ""}` : `/assets/${asset_id}`;
}

export function ReportCard({
  report,
  files = [],
}: {
  report: ReportRow;
  files?: readonly ShownFile[];
}): VNode {
  const { site_name: name, inventory_number: number, asset_state: state, description } = report;
  return (
    <div class="panel report">
      <p class="page-facts">
        <a class="thing" href={siteAddress(report)} dir="auto">
          {name}
        </a>
        {number !== null && <InventoryNumber>{number}</InventoryNumber>}
        {state !== null && <AssetBadge state={state} />}
        {!report.still_usable && <AlertBadge>{t("Can't be used")}</AlertBadge>}
      </p>
      <p class="written as-typed" dir="auto">
        {description}
      </p>
      <p class="soft file-line">
        <Origin report={report} />
        <span dir="auto">{report.workspace_name ?? t("In no workspace")}</span>
      </p>
      <Gallery files={files} mayChange={false} />
      {report.status !== "open" && (
        <>
          <DecisionLine report={report} />
          {report.answer !== null && <Markdown text={report.answer} />}
        </>
      )}
    </div>
  );
}

/** The time and the person. Only people who decide see the name of someone without an account. */
export function Origin({
  report: { created_at: at, has_account: hasAccount, reporter },
  isNamed = true,
  isAge = false,
}: {
  report: ReportRow;
  isNamed?: boolean;
  /** True for "6 days ago" instead of the date. */
  isAge?: boolean;
}): VNode {
  const name = hasAccount || isNamed ? reporter : null;
  return (
    <>
      {isAge ? <Age at={at} /> : <Moment at={at} />}
      {name === null ? (
        <span>{hasAccount || isNamed ? t("Without a name") : t("Someone without an account")}</span>
      ) : (
        <PersonName name={name} />
      )}
      {!hasAccount && isNamed && <span>{t("without an account")}</span>}
    </>
  );
}

function Age({ at }: { at: Date }): VNode {
  const days = Math.floor((Date.now() - at.getTime()) / 86_400_000);
  return days < 1 ? (
    <Moment at={at} />
  ) : (
    <time dateTime={at.toISOString()} title={describeMomentInFull(at)}>
      {t("{days, plural, one {# day ago} other {# days ago}}", { days })}
    </time>
  );
}

export const decisionLabels: Record<Exclude<ReportStatus, "open">, string> = translated({
  accepted: "Accepted||of a report",
  merged: "Merged||of a report",
  answered: "Replied||of a report",
  refused: "Declined||of a report",
});

function DecisionLine({ report }: { report: ReportRow }): VNode {
  const { status, closed_by: name, closed_at: at } = report;
  return (
    <p class="file-line">
      {status !== "open" && <strong>{decisionLabels[status]}</strong>}
      <PersonName name={name} />
      {at !== null && <Moment at={at} />}
      <TaskLink report={report} />
    </p>
  );
}

function TaskLink({ report: { task_id: id, task_number } }: { report: ReportRow }): VNode | null {
  return id === null ? null : <a href={`/tasks/${id}`}>{`T-${task_number}`}</a>;
}

/** Reviewed reports, with the person and the resulting task. */
export function DecidedReports({ reports }: { reports: readonly ReportRow[] }): VNode {
  return (
    <ul class="things">
      {reports.map((report) => (
        <li key={report.id} class="own-report">
          <a class="thing" href={`/reports/${report.id}`} dir="auto">
            {report.site_name}
          </a>
          <span dir="auto">{report.description}</span>
          <DecisionLine report={report} />
        </li>
      ))}
    </ul>
  );
}

/** The open reports on an asset, on its page. */
export function ReportsOnAsset({
  reports,
  mayDecide,
}: {
  reports: readonly ReportRow[];
  mayDecide: boolean;
}): VNode | null {
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby="open-reports">
      <h2 id="open-reports">{t("Open reports")}</h2>
      <ul class="things">
        {reports.map((report) => (
          <li key={report.id} class="own-report">
            <span class="as-typed" dir="auto">
              {report.description}
            </span>
            <span class="soft file-line">
              {!report.still_usable && <AlertBadge>{t("Can't be used")}</AlertBadge>}
              <Origin report={report} isNamed={mayDecide} />
              {mayDecide && <a href={`/reports/${report.id}`}>{t("Review")}</a>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function OwnReports({ reports }: { reports: readonly ReportRow[] }): VNode | null {
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby="own-reports">
      <h2 id="own-reports">{t("Your reports")}</h2>
      <ul class="things">
        {reports.map((report) => (
          <li key={report.id} class="own-report">
            <a class="thing" href={siteAddress(report)} dir="auto">
              {report.site_name}
            </a>
            <span class="soft">
              <Moment at={report.created_at} />
            </span>
            <span dir="auto">{report.description}</span>
            <span>
              {outcomeWords[report.status]} <TaskLink report={report} />
            </span>
            {report.answer !== null && <Markdown text={report.answer} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

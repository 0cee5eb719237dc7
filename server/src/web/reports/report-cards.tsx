import type { VNode } from "preact";
import type { ShownFile } from "../../domain/files/find-files.js";
import type { ReportRow } from "../../domain/reports/find-reports.js";
import { t } from "../../language/translate.js";
import { Gallery } from "../files/gallery.js";
import { AlertBadge, AssetBadge } from "../layout/badges.js";
import { InventoryNumber } from "../layout/facts.js";
import { Moment } from "../layout/moment.js";
import { Markdown } from "../text/markdown.js";
import { outcomeWords } from "../../domain/reports/outcome-words.js";

export function ReportCard({
  report,
  files = [],
  isLinked = false,
}: {
  report: ReportRow;
  files?: readonly ShownFile[];
  /** Links to the page for the decision. */
  isLinked?: boolean;
}): VNode {
  const { asset_name: name, inventory_number: number, asset_id, description, reporter } = report;
  return (
    <div class="panel report">
      <p class="page-facts">
        <a class="thing" href={`/assets/${asset_id}`} dir="auto">
          {name}
        </a>
        <InventoryNumber>{number}</InventoryNumber>
        <AssetBadge state={report.asset_state} />
        {!report.still_usable && <AlertBadge>{t("Can't be used")}</AlertBadge>}
      </p>
      <p class="written as-typed" dir="auto">
        {description}
      </p>
      <p class="soft file-line">
        <Moment at={report.created_at} />
        <span dir="auto">{reporter ?? t("Without a name")}</span>
        {!report.has_account && <span>{t("without an account")}</span>}
        <span dir="auto">{report.workspace_name ?? t("In no workspace")}</span>
      </p>
      <Gallery files={files} mayChange={false} />
      {isLinked && (
        <p>
          <a href={`/reports/${report.id}`} aria-label={t("Review the report on {name}", { name })}>
            {t("Review")}
          </a>
        </p>
      )}
      {report.status !== "open" && (
        <p>
          {outcomeWords[report.status]}{" "}
          {report.closed_by !== null && t("By {name}.", { name: report.closed_by })}
        </p>
      )}
    </div>
  );
}

export function OwnReports({ reports }: { reports: readonly ReportRow[] }): VNode | null {
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby="own-reports">
      <h2 id="own-reports">{t("Your reports")}</h2>
      <ul class="things">
        {reports.map(({ id, asset_id, asset_name, description, status, answer, created_at }) => (
          <li key={id} class="own-report">
            <a class="thing" href={`/assets/${asset_id}`} dir="auto">
              {asset_name}
            </a>
            <span class="soft">
              <Moment at={created_at} />
            </span>
            <span dir="auto">{description}</span>
            <span>{outcomeWords[status]}</span>
            {answer !== null && <Markdown text={answer} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { VNode } from "preact";
import { addDays, addMonths } from "../../../domain/shared/dates.js";
import type { Month, Trends } from "../../../domain/insight/trends.js";
import { dateFormat } from "../../../language/formats.js";
import { t } from "../../../language/translate.js";
import { toAddress } from "../../lists/pager.js";
import { toQuery } from "../../tasks/list-filters.js";
import { formatHours, formatNumber, formatPercent, formatRoundMoney } from "../../text/format.js";
import { Direction } from "./direction.js";
import { compare, measuresOf, type Measure } from "./measures.js";
import { MonthChart, type MonthBar } from "./month-chart.js";
import { FigureCell, FigureTable } from "./figure-table.js";

const monthStyle = { month: "short", year: "numeric", timeZone: "UTC" } as const;

/** "Nov 2026" */
function formatMonth(month: string): string {
  return dateFormat(monthStyle).format(new Date(`${month}-01T00:00:00Z`));
}

export function MonthCharts({ trends, currency }: { trends: Trends; currency: string }): VNode {
  return (
    <div class="charts">
      {measuresOf(trends, currency).map((measure) => (
        <MonthChart
          key={measure.id}
          id={measure.id}
          title={measure.title()}
          bars={trends.months.map((month) => toBar(month, measure, trends.workspace?.id))}
          isShare={measure.isShare}
          target={measure.target}
        >
          <Headline trends={trends} measure={measure} />
        </MonthChart>
      ))}
    </div>
  );
}

function toBar(month: Month, measure: Measure, workspaceId: string | undefined): MonthBar {
  const from = `${month.month}-01`;
  const days = { from, to: addDays(addMonths(from, 1), -1) };
  const query = toQuery({ ...measure.toTasks(days), workspace_id: workspaceId ?? "" });
  const href = toAddress("/tasks", query);
  return { label: formatMonth(month.month), href, ...measure.toBar(month) };
}

/** The last whole months, compared with as many before them. The year is smaller. */
function Headline({ trends, measure }: { trends: Trends; measure: Measure }): VNode {
  const { better, isShare, words } = measure;
  const { now, before, year } = compare(trends, measure);
  const why = measure.why(trends);
  return (
    <>
      <p class="chart-figure">
        <strong>{now === null ? "–" : words(now)}</strong>{" "}
        <Direction {...{ now, before, better }} isShare={isShare === true} />
      </p>
      <p class="chart-period">
        {year === null
          ? t("Last 3 full months")
          : t("Last 3 full months · {figure} over 12 months", { figure: words(year) })}
      </p>
      {why !== undefined && <p class="chart-why">{why}</p>}
    </>
  );
}

export function MonthTable({ months }: { months: readonly Month[] }): VNode {
  const currencies = [...new Set(months.flatMap(({ cost }) => Object.keys(cost)))].toSorted();
  const columns = [
    t("Planned work due"),
    t("On time"),
    t("Completed tasks"),
    t("Failures"),
    t("Downtime"),
    ...currencies.map((currency) => t("Cost, {currency}", { currency })),
  ];
  return (
    <details class="panel months">
      <summary>{t("All figures by month")}</summary>
      <FigureTable label={t("All figures by month")} columns={[t("Month"), ...columns]}>
        {months.map((month) => (
          <tr key={month.month}>
            <th scope="row">{formatMonth(month.month)}</th>
            {[
              formatNumber(month.planned_due),
              month.on_time_percent === null ? "–" : formatPercent(month.on_time_percent),
              formatNumber(month.completed_tasks),
              formatNumber(month.failures),
              formatHours(month.down_hours),
              ...currencies.map((currency) =>
                formatRoundMoney(month.cost[currency] ?? 0, currency),
              ),
            ].map((figure, index) => (
              <FigureCell key={columns[index]} column={columns[index]}>
                {figure}
              </FigureCell>
            ))}
          </tr>
        ))}
      </FigureTable>
    </details>
  );
}

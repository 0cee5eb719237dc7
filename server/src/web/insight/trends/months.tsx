import type { VNode } from "preact";
import { addDays, addMonths } from "../../../domain/shared/dates.js";
import type { Month, Trends } from "../../../domain/insight/trends.js";
import { dateFormat } from "../../../language/formats.js";
import { t } from "../../../language/translate.js";
import { toListQuery } from "../../lists/list-query.js";
import { toAddress } from "../../lists/pager.js";
import { toQuery } from "../../tasks/list-filters.js";
import { formatHours, formatNumber, formatPercent, formatRoundMoney } from "../../text/format.js";
import { Direction } from "./direction.js";
import { measuresOf, type Measure } from "./measures.js";
import { MonthChart, type MonthBar } from "./month-chart.js";
import { FigureCell, FigureTable } from "./figure-table.js";

const monthStyle = { month: "short", year: "numeric", timeZone: "UTC" } as const;

/** "Nov 2026" */
export function formatMonth(month: string): string {
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
          bars={trends.months.map((month) => toBar(month, measure, trends))}
          isShare={measure.isShare}
          target={measure.target}
        >
          <Headline trends={trends} measure={measure} />
        </MonthChart>
      ))}
    </div>
  );
}

function toBar(month: Month, measure: Measure, { workspace, today }: Trends): MonthBar {
  const from = `${month.month}-01`;
  const place = { workspace_id: workspace?.id ?? "" };
  const end = addDays(addMonths(from, 1), -1);
  const tasks = measure.toTasks?.({ from, to: end < today ? end : today });
  const href =
    tasks === undefined
      ? `${toAddress(`/trends/${month.month}`, toListQuery(place, {}))}#${measure.id}`
      : toAddress("/tasks", toQuery({ ...tasks, ...place }));
  return { label: formatMonth(month.month), href, ...measure.toBar(month) };
}

/** The figure of the home page, compared with the period before. The year is smaller. */
function Headline({ trends, measure }: { trends: Trends; measure: Measure }): VNode {
  const { better, isShare, words, figureOf, amountOf } = measure;
  const { period, before, days } = trends.key;
  const [now, earlier, year] = [figureOf(period), figureOf(before), amountOf(trends.months)];
  const why = measure.why(trends);
  return (
    <>
      <p class="chart-figure">
        <strong>{now === null ? "–" : words(now)}</strong>{" "}
        <Direction {...{ now, before: earlier, better, days }} isShare={isShare === true} isNamed />
      </p>
      <p class="chart-period">
        {year === null
          ? t("Last {count} days", { count: days })
          : t("Last {count} days · {figure} over 12 months", { count: days, figure: words(year) })}
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

import type { VNode } from "preact";
import type { Month } from "../../../domain/insight/trends.js";
import { dateFormat } from "../../../language/formats.js";
import { t } from "../../../language/translate.js";
import {
  countOf,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRoundMoney,
} from "../../text/format.js";
import { Direction, type DirectionProps } from "./direction.js";
import { MonthChart, type MonthBar } from "./month-chart.js";

const monthStyle = { month: "short", year: "numeric", timeZone: "UTC" } as const;

/** "Nov 2026" */
function formatMonth(month: string): string {
  return dateFormat(monthStyle).format(new Date(`${month}-01T00:00:00Z`));
}

/** The number of compared whole months, without the current one, and of months before them. */
const compared = 3;

interface Series extends Pick<DirectionProps, "better" | "isShare"> {
  id: string;
  title: () => string;
  /** The top of the scale, if the highest bar doesn't set it. */
  max?: number;
  toBar: (month: Month) => Omit<MonthBar, "label">;
  /** Aggregates several months. */
  amountOf: AmountOf;
  words: (amount: number) => string;
}

const measures: readonly Series[] = [
  {
    id: "on-time",
    title: () => t("Planned work on time, %"),
    max: 100,
    toBar: ({ on_time_percent: share, planned_due: due }) => ({
      value: share,
      words:
        share === null
          ? t("nothing was due")
          : t("{share}% of {due} due", { share: formatNumber(share), due }),
    }),
    amountOf: shareOf,
    words: formatPercent,
    better: "up",
    isShare: true,
  },
  {
    id: "failures",
    title: () => t("Failures"),
    toBar: ({ failures }) => ({ value: failures, words: countOf(failures, "failure") }),
    amountOf: sumOf(({ failures }) => failures),
    words: formatNumber,
    better: "down",
  },
  {
    id: "downtime",
    title: () => t("Downtime, hours"),
    toBar: ({ down_hours: hours }) => ({ value: hours, words: countOf(hours, "hour") }),
    amountOf: sumOf(({ down_hours: hours }) => hours),
    words: (hours) => t("{hours} h", { hours: formatNumber(Math.round(hours)) }),
    better: "down",
  },
];

function costIn(currency: string, id: string): Series {
  const amountOf = ({ cost }: Month) => cost[currency] ?? 0;
  return {
    id,
    title: () => t("Maintenance cost, {currency}", { currency }),
    toBar: (month) => ({ value: amountOf(month), words: formatMoney(amountOf(month), currency) }),
    amountOf: sumOf(amountOf),
    words: (amount) => formatRoundMoney(amount, currency),
    better: "down",
  };
}

export function MonthCharts({
  months,
  currency,
}: {
  months: readonly Month[];
  currency: string;
}): VNode {
  const currencies = [...new Set([currency, ...months.flatMap(({ cost }) => Object.keys(cost))])];
  const costs = currencies
    .filter((one) => months.some(({ cost }) => (cost[one] ?? 0) > 0))
    .map((one, index) => costIn(one, index === 0 ? "cost" : `cost-${one}`));
  return (
    <div class="charts">
      {[...measures, ...costs].map(({ id, title, max, toBar, ...headline }) => (
        <MonthChart
          key={id}
          {...{ id, title: title(), ...(max !== undefined && { max }) }}
          bars={toBars(months, toBar)}
        >
          <Headline months={months} {...headline} />
        </MonthChart>
      ))}
    </div>
  );
}

function toBars(
  months: readonly Month[],
  toBar: (month: Month) => Omit<MonthBar, "label">,
): MonthBar[] {
  return months.map((month) => ({ label: formatMonth(month.month), ...toBar(month) }));
}

type AmountOf = (months: readonly Month[]) => number | null;

function sumOf(amountOf: (month: Month) => number): AmountOf {
  return (months) => months.reduce((total, month) => total + amountOf(month), 0);
}

function shareOf(months: readonly Month[]): number | null {
  const due = months.reduce((total, month) => total + month.planned_due, 0);
  if (due === 0) return null;
  const inTime = months.reduce(
    (total, month) => total + ((month.on_time_percent ?? 0) / 100) * month.planned_due,
    0,
  );
  return Math.round((inTime / due) * 1000) / 10;
}

/** The figure for the last whole months, compared with as many months before. */
function Headline({
  months,
  amountOf,
  words,
  ...direction
}: Omit<Series, "id" | "title" | "max" | "toBar"> & { months: readonly Month[] }): VNode {
  const now = amountOf(months.slice(-1 - compared, -1));
  const before = amountOf(months.slice(-1 - 2 * compared, -1 - compared));
  return (
    <p class="chart-figure">
      <strong>{now === null ? "–" : words(now)}</strong>{" "}
      <span class="soft">{t("last 3 full months")}</span>{" "}
      <Direction {...direction} now={now} before={before} />
    </p>
  );
}

export function MonthTable({ months }: { months: readonly Month[] }): VNode {
  const currencies = [...new Set(months.flatMap(({ cost }) => Object.keys(cost)))].toSorted();
  return (
    <details class="panel months">
      <summary>{t("All figures by month")}</summary>
      <div class="table-scroll" role="region" aria-label={t("All figures by month")} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Month")}</th>
              <th scope="col">{t("Planned work due")}</th>
              <th scope="col">{t("On time")}</th>
              <th scope="col">{t("Completed tasks")}</th>
              <th scope="col">{t("Failures")}</th>
              <th scope="col">{t("Downtime")}</th>
              {currencies.map((currency) => (
                <th scope="col" key={currency}>
                  {t("Cost, {currency}", { currency })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month.month}>
                <th scope="row">{formatMonth(month.month)}</th>
                <td>{formatNumber(month.planned_due)}</td>
                <td>
                  {month.on_time_percent === null ? "–" : formatPercent(month.on_time_percent)}
                </td>
                <td>{formatNumber(month.completed_tasks)}</td>
                <td>{formatNumber(month.failures)}</td>
                <td>{t("{hours} h", { hours: formatNumber(month.down_hours) })}</td>
                {currencies.map((currency) => (
                  <td key={currency}>{formatMoney(month.cost[currency] ?? 0, currency)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

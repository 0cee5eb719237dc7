import type { VNode } from "preact";
import { explains, type Reason } from "../../../domain/insight/trend-reasons.js";
import type { Month, Trends } from "../../../domain/insight/trends.js";
import { t, tRich } from "../../../language/translate.js";
import type { FilterName } from "../../tasks/list-filters.js";
import {
  countOf,
  formatHours,
  formatNumber,
  formatPercent,
  formatRoundMoney,
} from "../../text/format.js";
import { sumOfTypes } from "../home/cost-figures.js";
import type { DirectionProps } from "./direction.js";
import type { MonthBar } from "./month-chart.js";

type Why = (string | VNode)[] | undefined;

export interface Measure extends Pick<DirectionProps, "better" | "isShare"> {
  id: string;
  title: () => string;
  target?: number;
  toBar: (month: Month) => Pick<MonthBar, "value" | "words">;
  /** The filters of a month's tasks. Without them, the month has its own page. */
  toTasks?: (days: { from: string; to: string }) => Partial<Record<FilterName, string>>;
  /** The figure of a period, as on the home page. */
  figureOf: (period: Trends["key"]["before"]) => number | null;
  /** Aggregates several months. */
  amountOf: (months: readonly Month[]) => number | null;
  words: (amount: number) => string;
  why: (trends: Trends) => Why;
}

/** The measures with figures, in their order on the page. */
export function measuresOf({ months }: Trends, currency: string): Measure[] {
  const currencies = [...new Set([currency, ...months.flatMap(({ cost }) => Object.keys(cost))])];
  const costs = currencies
    .filter((one) => months.some(({ cost }) => (cost[one] ?? 0) > 0))
    .map((one, index) => costIn(one, index === 0 ? "cost" : `cost-${one}`));
  return [onTime, failures, downtime, ...costs];
}

const completedIn = ({ from, to }: { from: string; to: string }) => ({
  ...{ state: "completed", completed_from: from, completed_to: to },
});

function numbersOf({ part, total }: Pick<Reason, "part" | "total">) {
  return { part: formatNumber(part), total: formatNumber(total) };
}

const onTime: Measure = {
  id: "on-time",
  title: () => t("Planned work on time, %"),
  target: 90,
  toBar: ({ on_time_percent: share, planned_due: due }) => ({
    value: share,
    words:
      share === null
        ? t("nothing was due")
        : t("{share}% of {due} due", { share: formatNumber(share), due }),
  }),
  toTasks: ({ from, to }) => ({ state: "all", type: "planned_due", due_from: from, due_to: to }),
  figureOf: ({ pm_compliance_percent: share }) => share,
  amountOf: shareOf,
  words: formatPercent,
  better: "up",
  isShare: true,
  why: ({ reasons: { late } }) =>
    late &&
    tRich("Why: {part} of {total} late tasks were in {category}.", {
      ...numbersOf(late),
      category: <bdi>{late.category}</bdi>,
    }),
};

const failures: Measure = {
  id: "failures",
  title: () => t("Failures"),
  toBar: ({ failures: count }) => ({ value: count, words: countOf(count, "failure") }),
  figureOf: ({ failures: count }) => count,
  amountOf: sumOf(({ failures: count }) => count),
  words: formatNumber,
  better: "down",
  why: ({ key, reasons: { failures: reason, failing } }) => {
    if (reason !== undefined) {
      return tRich("Why: {part} of {total} failures were in {category}.", {
        ...numbersOf(reason),
        category: <bdi>{reason.category}</bdi>,
      });
    }
    // One failure tells nothing.
    if (failing === undefined || failing.failures < 2) return undefined;
    return tRich("Most failures: <a>{asset}</a>, {part} of {total}.", {
      a: (words) => <a href={`/assets/${failing.asset_id}`}>{words}</a>,
      asset: <bdi>{failing.name}</bdi>,
      ...numbersOf({ part: failing.failures, total: key.period.failures }),
    });
  },
};

const downtime: Measure = {
  id: "downtime",
  title: () => t("Downtime, hours"),
  toBar: ({ down_hours: hours }) => ({ value: hours, words: formatHours(hours) }),
  figureOf: ({ down_hours: hours }) => hours,
  amountOf: sumOf(({ down_hours: hours }) => hours),
  words: formatHours,
  better: "down",
  why: ({ key, reasons: { down } }) => {
    const total = key.period.down_hours;
    if (down === undefined || !explains(down.hours, total)) return undefined;
    return tRich("Why: <a>{asset}</a> was down for {part} of {total}.", {
      a: (words) => <a href={`/assets/${down.asset_id}`}>{words}</a>,
      asset: <bdi>{down.name}</bdi>,
      part: formatHours(down.hours),
      total: formatHours(total),
    });
  },
};

function costIn(currency: string, id: string): Measure {
  const amountOf = ({ cost }: Month) => cost[currency] ?? 0;
  const words = (amount: number) => formatRoundMoney(amount, currency);
  return {
    id,
    title: () => t("Maintenance cost, {currency}", { currency }),
    toBar: (month) => ({ value: amountOf(month), words: words(amountOf(month)) }),
    toTasks: completedIn,
    figureOf: ({ cost }) => sumOfTypes(cost[currency]),
    amountOf: sumOf(amountOf),
    words,
    better: "down",
    why: ({ reasons: { cost } }) => {
      const reason = cost[currency];
      if (reason === undefined) return undefined;
      return tRich("Why: {part} of {total} went into {category}.", {
        part: words(reason.part),
        total: words(reason.total),
        category: <bdi>{reason.category}</bdi>,
      });
    },
  };
}

function sumOf(amountOf: (month: Month) => number): (months: readonly Month[]) => number {
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

import type { VNode } from "preact";
import { explains, type Reason } from "../../../domain/insight/trend-reasons.js";
import { comparedMonths, type Month, type Trends } from "../../../domain/insight/trends.js";
import { t, tRich } from "../../../language/translate.js";
import type { FilterName } from "../../tasks/list-filters.js";
import {
  countOf,
  formatHours,
  formatNumber,
  formatPercent,
  formatRoundMoney,
} from "../../text/format.js";
import type { DirectionProps } from "./direction.js";
import type { MonthBar } from "./month-chart.js";

type Why = (string | VNode)[] | undefined;

export interface Measure extends Pick<DirectionProps, "better" | "isShare"> {
  id: string;
  title: () => string;
  target?: number;
  toBar: (month: Month) => Pick<MonthBar, "value" | "words">;
  /** The filters of a month's tasks in the list of tasks. */
  toTasks: (days: { from: string; to: string }) => Partial<Record<FilterName, string>>;
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

/** The whole months that the headlines are about. */
function lastMonths(months: readonly Month[]): readonly Month[] {
  return months.slice(-1 - comparedMonths, -1);
}

export function compare({ months }: Trends, { amountOf }: Measure) {
  return {
    now: amountOf(lastMonths(months)),
    before: amountOf(lastMonths(months.slice(0, -comparedMonths))),
    year: amountOf(months),
  };
}

const completedIn = ({ from, to }: { from: string; to: string }) => ({
  ...{ state: "completed", completed_from: from, completed_to: to },
});

const repairsIn = (days: { from: string; to: string }) => ({
  ...completedIn(days),
  type: "corrective",
});

function numbersOf({ part, total }: Reason) {
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
  toTasks: ({ from, to }) => ({ state: "all", type: "planned", due_from: from, due_to: to }),
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
  toTasks: repairsIn,
  amountOf: sumOf(({ failures: count }) => count),
  words: formatNumber,
  better: "down",
  why: ({ reasons: { failures: reason } }) =>
    reason &&
    tRich("Why: {part} of {total} failures were in {category}.", {
      ...numbersOf(reason),
      category: <bdi>{reason.category}</bdi>,
    }),
};

const downHours = sumOf(({ down_hours: hours }) => hours);

const downtime: Measure = {
  id: "downtime",
  title: () => t("Downtime, hours"),
  toBar: ({ down_hours: hours }) => ({ value: hours, words: formatHours(hours) }),
  toTasks: repairsIn,
  amountOf: downHours,
  words: formatHours,
  better: "down",
  why: ({ months, reasons: { down } }) => {
    const total = downHours(lastMonths(months));
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

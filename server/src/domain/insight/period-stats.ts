import { toMtbfDays, toMttrHours, toOperatingDays, toPercent } from "../assets/reliability.js";
import { inPeriod, type Figures } from "./figures.js";

/** What was done in the period, what it cost by currency and type, and how long repairs took. */
export function describeWork(figures: Figures) {
  const cost: Record<string, Record<string, number>> = {};
  for (const { key, amount } of figures.each("cost", inPeriod)) {
    const [currency = "", type = ""] = key.split(" ");
    const ofType = cost[currency]?.[type] ?? 0;
    cost[currency] = { ...cost[currency], [type]: ofType + amount };
  }
  const repairs = figures.count("repair", inPeriod);
  return {
    completed_tasks: figures.count("work", inPeriod),
    cost,
    mttr_hours: toMttrHours(figures.amount("repair", inPeriod), repairs),
    mttr_tasks: repairs === 0 ? null : repairs,
  };
}

/**
 * How much of the planned work that was due in the period was done in time. What is due today and
 * still open is not judged yet, and what was cancelled before its due day was never due.
 */
export function describePlannedWork(figures: Figures) {
  const due = figures.count("planned", ["after"]);
  const inTime = figures.count("planned", ["after"], (key) => key.startsWith("in_time "));
  return {
    pm_compliance_percent: toPercent(inTime, due),
    pm_tasks_due: due === 0 ? null : due,
  };
}

/** Failures, the time between them and availability. */
export function describeReliability(figures: Figures, days: number) {
  const up = secondsOf("up", figures, days);
  const down = secondsOf("down", figures, days);
  const assets =
    figures.count("up", ["before", "after"]) +
    figures.count("down", ["before", "after"]) +
    figures.count("idle", inPeriod);
  const { failures, ...means } = toReliability(figures.count("failure", inPeriod), up, down);
  return {
    failures,
    operating_days: assets === 0 ? null : toOperatingDays(up),
    ...means,
    availability_assets: assets === 0 ? null : assets,
  };
}

/** What was done, planned and failed in the span of the same length before the period. */
export function describePeriodBefore(figures: Figures, longer: Figures, days: number) {
  const before = without(longer, figures);
  // Whole seconds, as differences of large sums are not exactly 0.
  const secondsBefore = (kind: "up" | "down") =>
    Math.round(secondsOf(kind, longer, 2 * days) - secondsOf(kind, figures, days));
  return {
    ...describeWork(before),
    ...describePlannedWork(before),
    ...toReliability(before.count("failure", inPeriod), secondsBefore("up"), secondsBefore("down")),
  };
}

function toReliability(failures: number, up: number, down: number) {
  return {
    failures,
    mtbf_days: toMtbfDays(up, failures),
    availability_percent: toPercent(up, up + down),
  };
}

/** All that are so now, were they so for all of the period; less what began and ended since. */
function secondsOf(kind: "up" | "down", figures: Figures, days: number): number {
  return figures.count(kind, ["before", "after"]) * days * 86_400 - figures.amount(kind, inPeriod);
}

/** What the figures of a longer period have more. */
function without(longer: Figures, { count, amount, each }: Figures): Figures {
  return {
    ...longer,
    count: (...which) => longer.count(...which) - count(...which),
    amount: (...which) => longer.amount(...which) - amount(...which),
    each: (...which) => [
      ...longer.each(...which),
      ...each(...which).map((sum) => ({ ...sum, amount: -sum.amount })),
    ],
  };
}

import { toMtbfDays, toMttrHours, toOperatingDays, toPercent } from "../assets/reliability.js";
import { inPeriod, type Figures } from "./figures.js";

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
 * Percentage of planned work due in the period that was done on time. Open work due today doesn't
 * count yet. Work cancelled before its due date doesn't count.
 */
export function describePlannedWork(figures: Figures) {
  const due = figures.count("planned", ["after"]);
  const inTime = figures.count("planned", ["after"], (key) => key.startsWith("in_time "));
  return {
    pm_compliance_percent: toPercent(inTime, due),
    pm_tasks_due: due === 0 ? null : due,
  };
}

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

export function describePeriodBefore(figures: Figures, longer: Figures, days: number) {
  const before = without(longer, figures);
  // Rounded to whole seconds, because differences of large sums are not exactly 0.
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

/**
 * Counts everything in this state now for the whole period, then corrects for starts and ends
 * within it.
 */
function secondsOf(kind: "up" | "down", figures: Figures, days: number): number {
  return figures.count(kind, ["before", "after"]) * days * 86_400 - figures.amount(kind, inPeriod);
}

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

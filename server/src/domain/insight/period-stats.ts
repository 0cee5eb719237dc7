import { toMtbfDays, toMttrHours, toOperatingDays, toPercent } from "../assets/reliability.js";
import type { Figures } from "./figures.js";

export function describePeriod(figures: Figures, days: number) {
  return {
    ...describeWork(figures),
    ...describePlannedWork(figures),
    ...describeReliability(figures, days),
  };
}

function describeWork(figures: Figures) {
  const cost: Record<string, Record<string, number>> = {};
  for (const { key, amount } of figures.each("cost", ["period"])) {
    const [currency = "", type = ""] = key.split(" ");
    const ofType = cost[currency]?.[type] ?? 0;
    cost[currency] = { ...cost[currency], [type]: ofType + amount };
  }
  const repairs = figures.count("repair", ["period"]);
  return {
    completed_tasks: figures.count("work", ["period"]),
    cost,
    mttr_hours: toMttrHours(figures.amount("repair", ["period"]), repairs),
    mttr_tasks: repairs === 0 ? null : repairs,
  };
}

/**
 * Percentage of planned work due in the period that was done on time. Open work due today doesn't
 * count yet. Work cancelled before its due date doesn't count.
 */
function describePlannedWork(figures: Figures) {
  const due = figures.count("planned", ["period"]);
  const inTime = figures.count("planned", ["period"], (key) => key.startsWith("in_time "));
  return {
    pm_compliance_percent: toPercent(inTime, due),
    pm_tasks_due: due === 0 ? null : due,
  };
}

function describeReliability(figures: Figures, days: number) {
  const up = secondsOf("up", figures, days);
  const down = secondsOf("down", figures, days);
  const assets =
    figures.count("up", untilItsEnd) +
    figures.count("down", untilItsEnd) +
    figures.count("idle", ["period"]);
  const failures = figures.count("failure", ["period"]);
  return {
    failures,
    operating_days: assets === 0 ? null : toOperatingDays(up),
    mtbf_days: toMtbfDays(up, failures),
    availability_percent: toPercent(up, up + down),
    availability_assets: assets === 0 ? null : assets,
    down_hours: Math.round(down / 360) / 10,
  };
}

const untilItsEnd = ["before", "period"] as const;

/**
 * Counts everything in this state at the end of the period for the whole period, then corrects for
 * starts and ends within it.
 */
function secondsOf(kind: "up" | "down", figures: Figures, days: number): number {
  return figures.count(kind, untilItsEnd) * days * 86_400 - figures.amount(kind, ["period"]);
}

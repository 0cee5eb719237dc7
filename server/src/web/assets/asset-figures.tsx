import type { VNode } from "preact";
import { todayOf } from "../../domain/access/clock.js";
import { Day } from "../layout/moment.js";
import { Facts } from "../layout/facts.js";
import { countOf, formatMinutes, formatMoney, formatNumber } from "../text/format.js";
import type { AssetView } from "./asset-view.js";

/** What the asset cost and how reliable it was, and of how much the figures are. */
export function AssetFigures({ view }: { view: AssetView }): VNode {
  const { maintenance, caller } = view;
  const {
    cost_365d: cost,
    downtime_minutes_365d: downtime,
    failures_365d: failures,
    last_completed_on: last,
  } = maintenance;
  const isQuiet = cost === null && downtime === 0 && failures === 0;
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Costs and reliability</h2>
      <p class="soft">
        {isQuiet
          ? "No costs, downtime or failures were recorded in the last 365 days."
          : "Over the last 365 days."}
      </p>
      <Facts
        facts={[
          ["Cost", cost && toCosts(cost)],
          ["Downtime", downtime === 0 ? null : formatMinutes(downtime)],
          ["Failures", isQuiet ? null : formatNumber(failures)],
          ["Between failures", toTimeBetween(maintenance.mtbf_days, failures)],
          ["To repair", toTimeToRepair(maintenance.mttr_hours, view.repairs)],
          ["Last work done", last && <Day plain day={last} today={todayOf(caller)} />],
        ]}
      />
    </section>
  );
}

function toCosts(costs: Record<string, number>): string {
  return Object.entries(costs)
    .map(([currency, cost]) => formatMoney(cost, currency))
    .join(", ");
}

function toTimeBetween(days: number | null, failures: number): string | null {
  if (failures === 0) return null;
  if (days === null) return "Not known from one failure";
  return `${formatNumber(days)} days on average, of ${countOf(failures, "failure")}`;
}

function toTimeToRepair(hours: number | null, repairs: number): string | null {
  if (hours === null) return null;
  return `${formatMinutes(Math.round(hours * 60))} on average, of ${countOf(repairs, "repair")}`;
}

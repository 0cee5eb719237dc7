import type { VNode } from "preact";
import { todayOf } from "../../domain/access/clock.js";
import { t } from "../../language/translate.js";
import { Day } from "../layout/moment.js";
import { Facts } from "../layout/facts.js";
import { formatMinutes, formatNumber, formatRoundMoney, roundFigure } from "../text/format.js";
import type { AssetView } from "./asset-view.js";

/** The asset's cost and reliability, with the number of records behind each figure. */
export function AssetFigures({ view, repairs }: { view: AssetView; repairs: number }): VNode {
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
      <h2 id="figures">{t("Costs and reliability")}</h2>
      <p class="soft">
        {isQuiet
          ? t("No costs, downtime or failures were recorded in the last 365 days.")
          : t("In the last 365 days.")}
      </p>
      <Facts
        facts={[
          [t("Cost"), cost && toCosts(cost)],
          [t("Downtime"), downtime === 0 ? null : formatMinutes(downtime)],
          [t("Failures"), isQuiet ? null : formatNumber(failures)],
          [t("Mean time between failures"), toTimeBetween(maintenance.mtbf_days, failures)],
          [t("Mean time to repair"), toTimeToRepair(maintenance.mttr_hours, repairs)],
          [t("Last work"), last && <Day plain day={last} today={todayOf(caller)} />],
        ]}
      />
    </section>
  );
}

export function toCosts(costs: Record<string, number>): string {
  return Object.entries(costs)
    .map(([currency, cost]) => formatRoundMoney(cost, currency))
    .join(", ");
}

function toTimeBetween(days: number | null, failures: number): string | null {
  if (failures === 0) return null;
  if (days === null) return t("Needs at least two failures");
  return t("{days} days on average over {failures, plural, one {# failure} other {# failures}}", {
    days: formatNumber(roundFigure(days)),
    failures,
  });
}

function toTimeToRepair(hours: number | null, repairs: number): string | null {
  const minutes = Math.round((hours ?? 0) * 60);
  if (minutes === 0) return null;
  return t("{time} on average over {repairs, plural, one {# repair} other {# repairs}}", {
    time: formatMinutes(minutes),
    repairs,
  });
}

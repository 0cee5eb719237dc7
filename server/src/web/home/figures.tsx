import type { ComponentChildren, VNode } from "preact";
import { liveAssetStates, type AssetState } from "../../db/entities/asset.js";
import type { Caller } from "../../domain/access/caller.js";
import type { KeyFigures } from "../../domain/stats/organization-stats.js";
import { AssetBadge } from "../layout/badges.js";
import { countOf, formatMoney, formatNumber, lastDayOfWeek } from "../text/format.js";

/** The figures of what the caller sees, each leading to what it counts. */
export function Figures({
  figures,
  caller,
  today,
}: {
  figures: KeyFigures | undefined;
  caller: Caller;
  today: string;
}): VNode {
  if (figures === undefined) return <TooMuch />;
  const { scope, assets, tasks } = figures;
  const { overdue, scheduled, in_progress, on_hold } = tasks.by_state;
  return (
    <section class="panel figures" aria-labelledby="figures">
      <h2 id="figures">
        {scope === "organization"
          ? caller.organizationName
          : `Your part of ${caller.organizationName}`}
      </h2>
      <h3>Tasks</h3>
      <dl>
        <Figure label="Overdue" href="/tasks?state=overdue" tone={overdue > 0 ? "bad" : ""}>
          {formatNumber(overdue)}
        </Figure>
        <Figure
          label="Due in 7 days"
          href={`/tasks?due_from=${today}&due_to=${lastDayOfWeek(today)}`}
        >
          {formatNumber(tasks.due_in_7_days)}
        </Figure>
        <Figure label="Open" href="/tasks">
          {formatNumber(overdue + scheduled + in_progress + on_hold)}
        </Figure>
      </dl>
      <h3>Assets</h3>
      <dl>
        <Figure label="All" href="/assets">
          {formatNumber(assets.total)}
        </Figure>
        {liveAssetStates.map((state) => (
          <StateFigure key={state} state={state} count={assets.by_state[state]} />
        ))}
      </dl>
      <h3>Last {figures.days} days</h3>
      <Period period={figures.period} />
    </section>
  );
}

function StateFigure({ state, count }: { state: AssetState; count: number }): VNode | null {
  if (count === 0) return null;
  return (
    <Figure label={<AssetBadge state={state} />} href={`/assets?state=${state}`}>
      {formatNumber(count)}
    </Figure>
  );
}

/** What happened in the period; a figure that nothing was recorded for is left out. */
function Period({ period }: { period: KeyFigures["period"] }): VNode {
  const { completed_tasks, pm_compliance_percent, pm_tasks_due } = period;
  const { mtbf_days, failures, mttr_hours, mttr_tasks } = period;
  const { availability_percent, availability_assets } = period;
  return (
    <dl>
      <Figure label="Completed tasks" href="/tasks?state=completed&sort=-completed_at">
        {formatNumber(completed_tasks)}
      </Figure>
      <Measure
        label="Planned work on time"
        value={pm_compliance_percent}
        unit="%"
        basis={`of ${countOf(pm_tasks_due ?? 0, "task")} due`}
      />
      {Object.entries(period.cost).map(([currency, byType]) => (
        <Figure key={currency} label="Cost of work">
          {formatMoney(
            Object.values(byType).reduce((total, cost) => total + cost, 0),
            currency,
          )}
        </Figure>
      ))}
      <Measure
        label="Availability"
        value={availability_percent}
        unit="%"
        basis={`over ${countOf(availability_assets ?? 0, "asset")}`}
      />
      <Measure
        label="Between failures (MTBF)"
        value={mtbf_days}
        unit={period.mtbf_days === 1 ? "day" : "days"}
        basis={`from ${countOf(failures, "failure")}`}
      />
      <Measure
        label="To repair (MTTR)"
        value={mttr_hours}
        unit={period.mttr_hours === 1 ? "hour" : "hours"}
        basis={`from ${countOf(mttr_tasks ?? 0, "repair")}`}
      />
    </dl>
  );
}

function TooMuch(): VNode {
  return (
    <p class="panel soft">
      Too much to add up while you wait. An assistant can ask for the figures of one workspace.
    </p>
  );
}

function Figure({
  label,
  href,
  tone = "",
  children,
}: {
  label: ComponentChildren;
  href?: string;
  tone?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class={`figure ${tone}`}>
      <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A figure with the number of things that it comes from, without which it says little. */
function Measure({
  label,
  value,
  unit,
  basis,
}: {
  label: string;
  value: number | null;
  unit: string;
  basis: string;
}): VNode | null {
  if (value === null) return null;
  return (
    <Figure label={label}>
      {formatNumber(value)} {unit} <span class="basis">{basis}</span>
    </Figure>
  );
}

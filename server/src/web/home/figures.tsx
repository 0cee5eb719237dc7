import type { VNode } from "preact";
import { liveAssetStates, type AssetState } from "../../db/entities/asset.js";
import type { Caller } from "../../domain/access/caller.js";
import type { KeyFigures } from "../../domain/stats/organization-stats.js";
import { AssetBadge } from "../layout/badges.js";
import { countOf, formatNumber, lastDayOfWeek } from "../text/format.js";
import { Direction } from "../trends/direction.js";
import { CostFigures } from "./cost-figures.js";
import { Figure, type FigureProps } from "./figure.js";

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
      <Period figures={figures} />
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

/** What happened in the period, against the one before; a figure that nothing was recorded for is left out. */
function Period({ figures }: { figures: KeyFigures }): VNode {
  const { period, before, days } = figures;
  const compared = (name: ComparedFigure, better?: "up" | "down", isShare = false) => (
    <Direction now={period[name]} before={before[name]} {...{ better, isShare, days }} />
  );
  return (
    <dl>
      <Figure
        label="Completed tasks"
        href="/tasks?state=completed&sort=-completed_at"
        direction={compared("completed_tasks")}
      >
        {formatNumber(period.completed_tasks)}
      </Figure>
      <Measure
        label="Planned work on time"
        href="/trends#on-time"
        value={period.pm_compliance_percent}
        unit="%"
        basis={`of ${countOf(period.pm_tasks_due ?? 0, "task")} due`}
        direction={compared("pm_compliance_percent", "up", true)}
      />
      <CostFigures figures={figures} href="/trends#cost" />
      <Measure
        label="Availability"
        href="/trends#downtime"
        value={period.availability_percent}
        unit="%"
        basis={`over ${countOf(period.availability_assets ?? 0, "asset")}`}
        direction={compared("availability_percent", "up", true)}
      />
      <Measure
        label="Between failures (MTBF)"
        href="/trends#failures"
        value={period.mtbf_days}
        unit={period.mtbf_days === 1 ? "day" : "days"}
        basis={`from ${countOf(period.failures, "failure")}`}
        direction={compared("mtbf_days", "up")}
      />
      <Measure
        label="To repair (MTTR)"
        href="/trends#downtime"
        value={period.mttr_hours}
        unit={period.mttr_hours === 1 ? "hour" : "hours"}
        basis={`from ${countOf(period.mttr_tasks ?? 0, "repair")}`}
        direction={compared("mttr_hours", "down")}
      />
    </dl>
  );
}

type ComparedFigure =
  "completed_tasks" | "pm_compliance_percent" | "availability_percent" | "mtbf_days" | "mttr_hours";

function TooMuch(): VNode {
  return (
    <p class="panel soft">
      Too much to add up while you wait. An assistant can ask for the figures of one workspace.
    </p>
  );
}

/** A figure with the number of things that it comes from, without which it says little. */
function Measure({
  value,
  unit,
  basis,
  ...figure
}: Omit<FigureProps, "children"> & {
  value: number | null;
  unit: string;
  basis: string;
}): VNode | null {
  if (value === null) return null;
  return (
    <Figure {...figure}>
      {formatNumber(value)} {unit} <span class="basis">{basis}</span>
    </Figure>
  );
}

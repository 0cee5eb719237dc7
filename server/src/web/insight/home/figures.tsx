import type { VNode } from "preact";
import { liveAssetStates, type AssetState } from "../../../db/entities/assets.js";
import type { Caller } from "../../../domain/access/caller.js";
import type { BestMonth } from "../../../domain/insight/best-month.js";
import type { KeyFigures } from "../../../domain/insight/organization-stats.js";
import { AssetBadge } from "../../layout/badges.js";
import {
  countOf,
  formatNumber,
  formatPercent,
  lastDayOfWeek,
  roundFigure,
} from "../../text/format.js";
import { Direction } from "../trends/direction.js";
import { CostFigures } from "./cost-figures.js";
import { Figure, type FigureProps } from "./figure.js";
import { dateFormat } from "../../../language/formats.js";
import { t } from "../../../language/translate.js";

/** The figures of the caller's visible records. Each links to its records. */
export function Figures({
  figures,
  best,
  caller,
  today,
}: {
  figures: KeyFigures | undefined;
  best: BestMonth | undefined;
  caller: Caller;
  today: string;
}): VNode {
  if (figures === undefined) return <TooMuch />;
  const { scope, assets, tasks } = figures;
  const { overdue, scheduled, in_progress, on_hold } = tasks.by_state;
  return (
    <section class="panel figures" aria-labelledby="figures">
      <h2 id="figures" dir="auto">
        {scope === "organization"
          ? caller.organizationName
          : t("Your workspaces in {organization}", { organization: caller.organizationName })}
      </h2>
      <GoodNews best={best} />
      <h3>{t("Last {count} days", { count: figures.days })}</h3>
      <Period figures={figures} />
      <h3>{t("Tasks")}</h3>
      <dl class="counts-line">
        <Figure
          label={t("Overdue||tasks")}
          href="/tasks?state=overdue"
          tone={overdue > 0 ? "bad" : ""}
        >
          {formatNumber(overdue)}
        </Figure>
        <Figure
          label={t("Due in 7 days")}
          href={`/tasks?due_from=${today}&due_to=${lastDayOfWeek(today)}`}
        >
          {formatNumber(tasks.due_in_7_days)}
        </Figure>
        <Figure label={t("Open||tasks")} href="/tasks">
          {formatNumber(overdue + scheduled + in_progress + on_hold)}
        </Figure>
      </dl>
      <h3>{t("Assets")}</h3>
      <dl class="counts-line">
        <Figure label={t("All||assets")} href="/assets">
          {formatNumber(assets.total)}
        </Figure>
        {liveAssetStates.map((state) => (
          <StateFigure key={state} state={state} count={assets.by_state[state]} />
        ))}
      </dl>
    </section>
  );
}

/** Months name the year only if it isn't the last month's. */
function GoodNews({ best }: { best: BestMonth | undefined }): VNode | null {
  if (best === undefined) return null;
  const { month, percent, since } = best;
  const values = { percent: formatPercent(percent), month: formatMonthName(month, month) };
  return (
    <p class="good-news">
      {since === null
        ? t("{percent} of planned work was on time in {month}, the best in 12 months.", values)
        : t("{percent} of planned work was on time in {month}, the best since {since}.", {
            ...values,
            since: formatMonthName(since, month),
          })}
    </p>
  );
}

function formatMonthName(month: string, beside: string): string {
  const year = month.slice(0, 4) === beside.slice(0, 4) ? {} : ({ year: "numeric" } as const);
  return dateFormat({ month: "long", ...year, timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
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

/** The period's figures, compared with the previous period. Figures without records are omitted. */
function Period({ figures }: { figures: KeyFigures }): VNode {
  const { period, before, days } = figures;
  const compared = (name: ComparedFigure, better?: "up" | "down", isShare = false) => (
    <Direction now={period[name]} before={before[name]} {...{ better, isShare, days }} />
  );
  // Repairs without downtime that were started and completed at once say nothing about repair time.
  const hasRepairTime = roundFigure(period.mttr_hours ?? 0) > 0;
  return (
    <dl class="strip">
      <Figure
        label={t("Completed tasks")}
        href="/tasks?state=completed&sort=-completed_at"
        direction={compared("completed_tasks")}
      >
        {formatNumber(period.completed_tasks)}
      </Figure>
      <Measure
        label={t("Planned work on time")}
        href="/trends#on-time"
        value={period.pm_compliance_percent}
        show={formatPercent}
        basis={t("{count, plural, one {of # task due} other {of # tasks due}}", {
          count: period.pm_tasks_due ?? 0,
        })}
        direction={compared("pm_compliance_percent", "up", true)}
      />
      <CostFigures figures={figures} href="/trends#cost" />
      <Measure
        label={t("Availability")}
        href="/trends#downtime"
        value={period.availability_percent}
        show={formatPercent}
        basis={t("{count, plural, one {over # asset} other {over # assets}}", {
          count: period.availability_assets ?? 0,
        })}
        direction={compared("availability_percent", "up", true)}
      />
      <Measure
        label={t("Mean time between failures (MTBF)")}
        href="/trends#failures"
        value={period.mtbf_days}
        show={(days) => countOf(roundFigure(days), "day")}
        basis={t("{count, plural, one {# failure} other {# failures}}", {
          count: period.failures,
        })}
        direction={compared("mtbf_days", "up")}
      />
      <Measure
        label={t("Mean time to repair (MTTR)")}
        href="/trends#downtime"
        value={period.mttr_hours}
        show={(hours) => (hasRepairTime ? countOf(roundFigure(hours), "hour") : "–")}
        basis={t("{count, plural, one {# repair} other {# repairs}}", {
          count: period.mttr_tasks ?? 0,
        })}
        {...(hasRepairTime && { direction: compared("mttr_hours", "down") })}
      />
    </dl>
  );
}

type ComparedFigure =
  "completed_tasks" | "pm_compliance_percent" | "availability_percent" | "mtbf_days" | "mttr_hours";

function TooMuch(): VNode {
  return (
    <p class="panel soft">
      {t("Too much data to total here. An assistant can total one workspace.")}
    </p>
  );
}

/** A figure that needs records. */
function Measure({
  value,
  show,
  ...figure
}: Omit<FigureProps, "children"> & {
  value: number | null;
  show: (value: number) => string;
}): VNode | null {
  return value === null ? null : <Figure {...figure}>{show(value)}</Figure>;
}

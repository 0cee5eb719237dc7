import type { VNode } from "preact";
import { workspaceRefOf } from "../../domain/access/roles.js";
import { forecastDays } from "../../domain/planning/plan-forecast.js";
import { addDays } from "../../domain/values/dates.js";
import { unassigned } from "../forms/choices.js";
import { PostForm, toOptions } from "../forms/controls.js";
import { Page } from "../layout/layout.js";
import { EmptyState, Notice } from "../layout/notices.js";
import { PageHead } from "../layout/page-head.js";
import { FilterForm, FilterSelect } from "../lists/filters.js";
import { WrongFilters } from "../lists/wrong-filters.js";
import { countOf, formatNumber } from "../text/format.js";
import { taskTypeLabels } from "../text/value-labels.js";
import { ChangeBar } from "./change-bar.js";
import { LoadTable } from "./load-table.js";
import { PlanBoard, type PlanView } from "./plan-board.js";
import { mondayOf } from "./plan-window.js";
import { isForeseen, planAddress, toPlanAddress } from "./read-plan.js";

/** The page of the plan. */
export function PlanContent({ plan, ticked }: PlanView): VNode {
  const { window, errors } = plan;
  return (
    <Page title={`Plan, ${window.title}`} width="wide" current={planAddress}>
      <PageHead title="Plan" facts={<span class="plan-title">{window.title}</span>} />
      <PeriodNav plan={plan} />
      <Filters plan={plan} />
      {errors.length > 0 && <WrongFilters errors={errors} />}
      <LeftOut plan={plan} />
      <LoadTable plan={plan} />
      <Work plan={plan} ticked={ticked} />
    </Page>
  );
}

/** To the period before and after, and to the other view of the same day. */
function PeriodNav({ plan: { window, values, today } }: Pick<PlanView, "plan">): VNode {
  const { view, before, after, begin, firstDay } = window;
  const to = (changed: Parameters<typeof toPlanAddress>[1]) => toPlanAddress(values, changed);
  return (
    <nav class="plan-nav no-print" aria-label="Period">
      <a class="button quiet" href={to({ from: before })}>
        <span aria-hidden="true">‹ </span>
        Previous<span class="visually-hidden"> {view}</span>
      </a>
      <a class="button quiet" href={to({ from: "" })}>
        {view === "week" ? "This week" : "This month"}
      </a>
      <a class="button quiet" href={to({ from: after })}>
        Next<span class="visually-hidden"> {view}</span>
        <span aria-hidden="true"> ›</span>
      </a>
      <span class="plan-views">
        <a
          href={to({ view: "week", from: firstDay === today ? "" : mondayOf(firstDay) })}
          aria-current={view === "week" ? "page" : undefined}
        >
          Week
        </a>
        <a
          href={to({ view: "month", from: firstDay === today ? "" : begin })}
          aria-current={view === "month" ? "page" : undefined}
        >
          Month
        </a>
      </span>
    </nav>
  );
}

function Filters({ plan: { values, workspaces, people } }: Pick<PlanView, "plan">): VNode {
  const { view = "", from = "", workspace_id = "", responsible = "", type = "" } = values;
  const isNarrowed = workspace_id + responsible + type !== "";
  return (
    <FilterForm path={planAddress} label="Plan" isNarrowed={isNarrowed}>
      {view !== "" && <input type="hidden" name="view" value={view} />}
      {from !== "" && <input type="hidden" name="from" value={from} />}
      <FilterSelect
        name="workspace_id"
        label="Workspace"
        value={workspace_id}
        any="All"
        options={[...workspaces, { value: "none", label: "In no workspace" }]}
      />
      <FilterSelect
        name="responsible"
        label="Responsible"
        value={responsible}
        any="Anybody"
        options={[unassigned, ...people]}
      />
      <FilterSelect
        name="type"
        label="Type"
        value={type}
        any="All"
        options={toOptions(taskTypeLabels)}
      />
    </FilterForm>
  );
}

/** What is not shown, and where it is. */
function LeftOut({ plan }: Pick<PlanView, "plan">): VNode {
  const { due, load, forecast, window, today, errors } = plan;
  const lines: string[] = [];
  const hidden = due.total_count - due.tasks.length;
  if (hidden > 0) {
    const more = `${due.total_is_minimum === true ? "more than " : ""}${formatNumber(hidden)}`;
    lines.push(`The first ${formatNumber(due.tasks.length)} tasks are shown, ${more} are not.`);
  }
  if (load === undefined) lines.push("There is too much to add up the load of each person.");
  const noForecast = forecast === undefined && isForeseen(window.to, today) && errors.length === 0;
  if (noForecast || forecast?.isCut === true) {
    lines.push("There is too much work that repeats to foresee all of it.");
  }
  return (
    <>
      {lines.length > 0 && (
        <Notice>
          <p>{`${lines.join(" ")} Choose a workspace, a person or a type to see less at once.`}</p>
        </Notice>
      )}
      {window.to > addDays(today, forecastDays) && (
        <p class="soft">{`What repeats is foreseen for ${forecastDays} days.`}</p>
      )}
    </>
  );
}

function Work({ plan, ticked }: PlanView): VNode {
  const { due, overdue, forecast, mayChange, values } = plan;
  const tasks = [...(overdue?.tasks ?? []), ...due.tasks];
  if (tasks.length === 0 && (forecast?.occurrences.length ?? 0) === 0) {
    return (
      <EmptyState title="Nothing is due">
        <p>
          Tasks stand here on the day they are due. <a href="/tasks">See all open tasks</a>
        </p>
      </EmptyState>
    );
  }
  const changeable = tasks.filter((task) => mayChange(workspaceRefOf(task)));
  if (changeable.length === 0) return <PlanBoard plan={plan} ticked={ticked} />;
  return (
    <PostForm action={toPlanAddress(values)} class="plan-form">
      <PlanBoard plan={plan} ticked={ticked} />
      <ChangeBar people={plan.people} of={countOf(changeable.length, "task")} />
    </PostForm>
  );
}

import type { ComponentChildren, VNode } from "preact";
import { workspaceRefOf } from "../../../domain/access/roles.js";
import { forecastDays } from "../../../domain/tasks/plan-forecast.js";
import { addDays } from "../../../domain/shared/dates.js";
import { t, tRich } from "../../../language/translate.js";
import { unassigned } from "../../forms/choices.js";
import { PostForm, toOptions, Select, TextInput, type Option } from "../../forms/controls.js";
import { Page } from "../../layout/layout.js";
import { EmptyState, Notice } from "../../layout/notices.js";
import { PageHead } from "../../layout/page-head.js";
import { FilterForm, FilterSelect } from "../../lists/filters.js";
import { SelectionBar } from "../../lists/list-table.js";
import { WrongFilters } from "../../lists/wrong-filters.js";
import { staticUrls } from "../../static-files.js";
import { taskTypeLabels } from "../../text/value-labels.js";
import { LoadTable } from "./load-table.js";
import { PlanBoard, type PlanView } from "./plan-board.js";
import { mondayOf } from "./plan-window.js";
import { isForeseen, planAddress, toPlanAddress } from "./read-plan.js";
import { useForm } from "../../forms/form-context.js";

export function PlanContent({ plan, selected }: PlanView): VNode {
  const { window, errors } = plan;
  return (
    <Page title={t("Plan, {period}", { period: window.title })} width="wide" current={planAddress}>
      <PageHead title={t("Plan")} facts={<span class="plan-title">{window.title}</span>} />
      <PeriodNav plan={plan} />
      <Filters plan={plan} />
      {errors.length > 0 && <WrongFilters errors={errors} />}
      <LeftOut plan={plan} />
      <LoadTable plan={plan} />
      <Work plan={plan} selected={selected} />
    </Page>
  );
}

const steps = {
  week: { before: "Previous<hidden> week</hidden>", after: "Next<hidden> week</hidden>" },
  month: { before: "Previous<hidden> month</hidden>", after: "Next<hidden> month</hidden>" },
} as const;
const hidden = (words: ComponentChildren) => <span class="visually-hidden">{words}</span>;

function PeriodNav({ plan: { window, values, today } }: Pick<PlanView, "plan">): VNode {
  const { view, before, after, begin, firstDay } = window;
  const to = (changed: Parameters<typeof toPlanAddress>[1]) => toPlanAddress(values, changed);
  return (
    <nav class="plan-nav no-print" aria-label={t("Period")}>
      <a class="button quiet" href={to({ from: before })}>
        <span aria-hidden="true">‹ </span>
        {tRich(steps[view].before, { hidden })}
      </a>
      <a class="button quiet" href={to({ from: "" })}>
        {view === "week" ? t("This week") : t("This month")}
      </a>
      <a class="button quiet" href={to({ from: after })}>
        {tRich(steps[view].after, { hidden })}
        <span aria-hidden="true"> ›</span>
      </a>
      <span class="plan-views">
        <a
          href={to({ view: "week", from: firstDay === today ? "" : mondayOf(firstDay) })}
          aria-current={view === "week" ? "page" : undefined}
        >
          {t("Week")}
        </a>
        <a
          href={to({ view: "month", from: firstDay === today ? "" : begin })}
          aria-current={view === "month" ? "page" : undefined}
        >
          {t("Month")}
        </a>
      </span>
    </nav>
  );
}

function Filters({ plan: { values, workspaces, people } }: Pick<PlanView, "plan">): VNode {
  const { view = "", from = "", workspace_id = "", assignee = "", type = "" } = values;
  const isNarrowed = workspace_id + assignee + type !== "";
  return (
    <FilterForm path={planAddress} label={t("Plan")} isNarrowed={isNarrowed}>
      {view !== "" && <input type="hidden" name="view" value={view} />}
      {from !== "" && <input type="hidden" name="from" value={from} />}
      <FilterSelect
        name="workspace_id"
        label={t("Workspace")}
        value={workspace_id}
        any={t("All")}
        options={[...workspaces, { value: "none", label: t("In no workspace") }]}
      />
      <FilterSelect
        name="assignee"
        label={t("Assignee")}
        value={assignee}
        any={t("Anyone")}
        options={[unassigned, ...people]}
      />
      <FilterSelect
        name="type"
        label={t("Type")}
        value={type}
        any={t("All")}
        options={toOptions(taskTypeLabels)}
      />
    </FilterForm>
  );
}

function LeftOut({ plan }: Pick<PlanView, "plan">): VNode {
  const { due, load, forecast, window, today, errors } = plan;
  const lines: string[] = [];
  if (due === undefined) lines.push(t("Too much work to show each day."));
  if (load === undefined) lines.push(t("Too much work to total per person."));
  const noForecast = forecast === undefined && isForeseen(window.to, today) && errors.length === 0;
  if (noForecast || forecast?.isCut === true) {
    lines.push(t("Too many recurring tasks to show all of them."));
  }
  return (
    <>
      {lines.length > 0 && (
        <Notice>
          <p>
            {lines.join(" ")} {t("Filter by workspace, person or type to narrow the results.")}
          </p>
        </Notice>
      )}
      {window.to > addDays(today, forecastDays) && (
        <p class="soft">
          {t("Recurring tasks are shown for the next {days} days.", { days: forecastDays })}
        </p>
      )}
    </>
  );
}

function Work({ plan, selected }: PlanView): VNode {
  const { due, overdue, forecast, mayChange, values } = plan;
  const ofDays = [...(due?.values() ?? [])].flatMap(({ tasks }) => tasks);
  const tasks = [...(overdue?.tasks ?? []), ...ofDays];
  if (due?.size === 0 && tasks.length === 0 && (forecast?.occurrences.length ?? 0) === 0) {
    return (
      <EmptyState title={t("Nothing is due")}>
        <p>
          {t("Tasks appear on the day they're due.")}{" "}
          <a href="/tasks">{t("View all open tasks")}</a>
        </p>
      </EmptyState>
    );
  }
  const changeable = tasks.filter((task) => mayChange(workspaceRefOf(task)));
  if (changeable.length === 0) return <PlanBoard plan={plan} selected={selected} />;
  return (
    <PostForm action={toPlanAddress(values)} class="plan-form">
      <PlanBoard plan={plan} selected={selected} />
      <ChangeBar people={plan.people} />
      <MoveScript />
    </PostForm>
  );
}

/** The changes for the selected tasks. */
function ChangeBar({ people }: { people: readonly Option[] }): VNode {
  const { values } = useForm();
  return (
    <SelectionBar>
      <details open={values["due_date"] ? true : undefined}>
        <summary class="button quiet">{t("Reschedule")}</summary>
        <div class="bar-controls">
          <TextInput name="due_date" type="date" />
          <button type="submit">{t("Move")}</button>
          <button type="submit" class="quiet" name="later_by_days" value="1">
            {t("1 day later")}
          </button>
          <button type="submit" class="quiet" name="later_by_days" value="7">
            {t("7 days later")}
          </button>
        </div>
      </details>
      <details open={values["assigned_to_user_id"] ? true : undefined}>
        <summary class="button quiet">{t("Assign")}</summary>
        <div class="bar-controls">
          <Select
            name="assigned_to_user_id"
            empty={t("Keep current")}
            options={[unassigned, ...people]}
          />
          <button type="submit">{t("Assign")}</button>
        </div>
      </details>
    </SelectionBar>
  );
}

/** Moves tasks by drag and drop, or by the arrow keys. */
function MoveScript(): VNode {
  return (
    <script
      src={staticUrls.plan}
      type="module"
      data-hint={t("Drag cards, or move selected ones with the arrow keys.")}
      data-begin={t("Use the arrow keys. Enter moves, Esc cancels.")}
      data-cancelled={t("Move cancelled.")}
      data-failed={t("Not saved. Check your connection and try again.")}
    />
  );
}

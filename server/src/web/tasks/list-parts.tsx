import type { VNode } from "preact";
import type { TaskAsset } from "../../domain/tasks/task-assets.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { dayIn, daysBetween } from "../../domain/shared/dates.js";
import { currentTimeZone } from "../../language/locale.js";
import { t, tRich } from "../../language/translate.js";
import { unassigned } from "../forms/choices.js";
import { toOptions, type Option } from "../forms/controls.js";
import { CriticalityTag, isMarked, PriorityTag, TaskBadge } from "../layout/badges.js";
import { Moment } from "../layout/moment.js";
import { InventoryNumber } from "../layout/facts.js";
import { FilterForm } from "../lists/filters.js";
import {
  chooseColumns,
  Pick,
  Who,
  type Column,
  type ColumnChoice,
  type OptionalColumn,
} from "../lists/list-table.js";
import { priorityLabels, taskTypeLabels } from "../text/value-labels.js";
import {
  sortLabels,
  stateFilterLabels,
  toQuery,
  type FilterName,
  type ReadFilters,
} from "./list-filters.js";
import { TaskActs } from "./row-acts.js";
import { TaskPicture } from "./task-picture.js";
import { DueDay, LateDay } from "./task-parts.js";

export function Filters({
  path,
  filters: { values },
  workspaces,
  people,
  columns,
}: {
  path: string;
  filters: ReadFilters;
  workspaces: readonly Option[];
  people: readonly Option[];
  columns: ColumnChoice;
}): VNode {
  const filter = (name: FilterName, label: string) => ({ name, label, value: values[name] });
  const places = [...workspaces, { value: "none", label: t("In no workspace") }];
  const types = [
    { value: "planned", label: t("Planned work") },
    { value: "planned_due", label: t("Planned work that was due") },
    ...toOptions(taskTypeLabels),
  ];
  const persons = [unassigned, ...people];
  return (
    <FilterForm
      path={path}
      label={t("Tasks")}
      q={values.q}
      isNarrowed={toQuery(values).size > 0}
      folded={[
        { ...filter("workspace_id", t("Workspace")), any: t("All"), options: places },
        { ...filter("state", t("State")), usual: "open", options: toOptions(stateFilterLabels) },
        { ...filter("assignee", t("Assignee")), any: t("Anyone"), options: persons },
        { ...filter("type", t("Type")), any: t("All"), options: types },
        { ...filter("priority", t("Priority")), any: t("All"), options: toOptions(priorityLabels) },
        filter("due_from", t("Due from")),
        filter("due_to", t("Due to")),
        filter("completed_from", t("Completed from")),
        filter("completed_to", t("Completed to")),
      ]}
      sort={{ ...filter("sort", t("Sort by")), usual: "urgency", options: toOptions(sortLabels) }}
      columns={columns}
    />
  );
}

export function chooseTaskColumns(
  chosen: readonly string[],
  values: Partial<Record<FilterName, string>>,
  rows: readonly TaskRow[],
  assets: ReadonlyMap<string, TaskAsset>,
): ColumnChoice {
  const all: [Column, ...OptionalColumn<TaskRow>[]] = [
    { kind: "what", label: t("Task") },
    {
      kind: "state",
      label: t("State"),
      // Work that is begun says so below its title.
      valueOf: ({ state }) => (state === "completed" || state === "cancelled" ? state : null),
      filter: "state",
    },
    {
      kind: "rank",
      label: t("Priority"),
      valueOf: ({ id, priority }) =>
        isMarked(priority) || isMarked(assets.get(id)?.criticality) ? priority : null,
    },
    {
      kind: "where",
      label: t("Workspace"),
      valueOf: ({ workspace_name: name }) => name,
      filter: "workspace_id",
    },
    { kind: "who", label: t("Assignee"), valueOf: (task) => task.assigned_to, filter: "assignee" },
    {
      kind: "due",
      label: values.state === "completed" ? t("Completed||tasks") : t("Due"),
      sorts: ["due_date", "-due_date"],
      valueOf: ({ due_date: due, completed_at: completed }) => completed ?? due,
    },
  ];
  return { all, shown: chooseColumns(all, { chosen, values, rows }) };
}

/** One task in a list. The whole row links to it. */
export function TaskListRow({
  task,
  asset,
  columns,
  mayChange,
  isActing,
  today,
}: {
  task: TaskRow;
  asset: TaskAsset | undefined;
  columns: readonly Column[];
  mayChange: boolean;
  /** True if any row has actions. */
  isActing: boolean;
  today: string;
}): VNode {
  const { id, title, workspace_name: workspace, progress } = task;
  const cells: Record<Column["kind"], VNode> = {
    what: <What task={task} asset={asset} saysState={!columns.some(isState)} />,
    state: (
      <td class="state">
        <TaskBadge state={progress ?? task.state} />
      </td>
    ),
    rank: (
      <td class="rank">
        <PriorityTag priority={task.priority} />
        <CriticalityTag criticality={asset?.criticality ?? null} />
      </td>
    ),
    where: (
      <td class="where" dir="auto">
        {workspace ?? <span class="soft">{t("In no workspace")}</span>}
      </td>
    ),
    who: <Who name={task.assigned_to} />,
    due: (
      <td class="due">
        <When task={task} today={today} />
      </td>
    ),
  };
  return (
    <tr id={id} data-minutes={task.estimated_minutes ?? 0}>
      {mayChange ? (
        <Pick id={id} name={`${task.task_number} ${title}`} />
      ) : (
        <td class="pick no-print" />
      )}
      {columns.map(({ kind }) => cells[kind])}
      {isActing && (
        <td class="acts no-print">
          {mayChange && task.state !== "completed" && task.state !== "cancelled" && (
            <TaskActs task={task} today={today} />
          )}
        </td>
      )}
    </tr>
  );
}

const isState = ({ kind }: Column) => kind === "state";

function What({
  task,
  asset,
  saysState,
}: {
  task: TaskRow;
  asset: TaskAsset | undefined;
  saysState: boolean;
}): VNode {
  const { id, title, inventory_number: number } = task;
  const state = task.progress ?? task.state;
  return (
    <td class="what">
      <div class="with-picture">
        <TaskPicture task={task} asset={asset} />
        <div>
          <a class="thing" href={`/tasks/${id}`} dir="auto">
            {title}
          </a>
          <span class="below">
            {saysState && (state === "in_progress" || state === "on_hold") && (
              <TaskBadge state={state} />
            )}
            <span>{task.task_number}</span>
            {number !== null && (
              <span>
                <InventoryNumber>{number}</InventoryNumber> <bdi>{task.asset_name}</bdi>
              </span>
            )}
            {task.due_usage !== null && (
              <span>{t("Due at {usage}", { usage: task.due_usage })}</span>
            )}
          </span>
        </div>
      </div>
    </td>
  );
}

function When({
  task: { completed_at: completedAt, due_date: due, days_overdue: late },
  today,
}: {
  task: TaskRow;
  today: string;
}): VNode {
  if (completedAt !== null) {
    const at = new Date(completedAt);
    const count = due === null ? 0 : daysBetween(due, dayIn(currentTimeZone(), at));
    return (
      <>
        {tRich("Completed {when}", { when: <Moment at={at} inline /> })}
        {count > 0 && (
          <span class="soft">
            <span class="between"> · </span>
            {t("{count, plural, one {# day} other {# days}} late", { count })}
          </span>
        )}
      </>
    );
  }
  if (due === null) return <span class="soft">{t("No due date")}</span>;
  if (late === null) return <DueDay day={due} today={today} />;
  return <LateDay day={due} today={today} />;
}

/**
 * Tasks that the person may have meant. Each text begins with the task's number, which is one of
 * its addresses.
 */
export function SimilarTasks({ tasks }: { tasks: readonly string[] }): VNode {
  return (
    <>
      <p>{t("Did you mean one of these?")}</p>
      <ul class="did-you-mean">
        {tasks.map((task) => (
          <li key={task}>
            <a href={`/tasks/${task.split(" ", 1)[0] ?? ""}`} dir="auto">
              {task}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

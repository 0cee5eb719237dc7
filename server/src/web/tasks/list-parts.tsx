import type { VNode } from "preact";
import type { Criticality } from "../../db/entities/assets.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { t, tRich } from "../../language/translate.js";
import { unassigned } from "../forms/choices.js";
import { toOptions, type Option } from "../forms/controls.js";
import { CriticalityTag, PriorityTag, TaskBadge } from "../layout/badges.js";
import { Moment } from "../layout/moment.js";
import { InventoryNumber } from "../layout/facts.js";
import { FilterForm } from "../lists/filters.js";
import { Pick, Who, type Column } from "../lists/list-table.js";
import { priorityLabels, taskTypeLabels } from "../text/value-labels.js";
import {
  sortLabels,
  stateFilterLabels,
  toQuery,
  type FilterName,
  type ReadFilters,
} from "./list-filters.js";
import { TaskActs } from "./row-acts.js";
import { DueDay, LateDay } from "./task-parts.js";

export function Filters({
  path,
  filters: { values },
  workspaces,
  people,
}: {
  path: string;
  filters: ReadFilters;
  workspaces: readonly Option[];
  people: readonly Option[];
}): VNode {
  const filter = (name: FilterName, label: string) => ({ name, label, value: values[name] });
  const places = [...workspaces, { value: "none", label: t("In no workspace") }];
  const types = [{ value: "planned", label: t("Planned work") }, ...toOptions(taskTypeLabels)];
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
    />
  );
}

export function taskColumns(): readonly Column[] {
  return [
    { kind: "what", label: t("Task") },
    { kind: "state", label: t("State") },
    { kind: "rank", label: t("Priority") },
    { kind: "where", label: t("Workspace") },
    { kind: "who", label: t("Assignee") },
    { kind: "due", label: t("Due") },
  ];
}

/** One task in a list. The whole row links to it. */
export function TaskListRow({
  task,
  criticality,
  mayChange,
  isActing,
  today,
}: {
  task: TaskRow;
  /** The criticality of the task's asset. */
  criticality: Criticality | null;
  mayChange: boolean;
  /** True if any row has actions. */
  isActing: boolean;
  today: string;
}): VNode {
  const { id, title, workspace_name: workspace, progress } = task;
  return (
    <tr id={id}>
      {mayChange ? (
        <Pick id={id} name={`${task.task_number} ${title}`} />
      ) : (
        <td class="pick no-print" />
      )}
      <What task={task} />
      <td class="state">
        <TaskBadge state={progress ?? task.state} />
      </td>
      <td class="rank">
        <PriorityTag priority={task.priority} />
        <CriticalityTag criticality={criticality} />
      </td>
      <td class="where" dir="auto">
        {workspace ?? <span class="soft">{t("In no workspace")}</span>}
      </td>
      <Who name={task.assigned_to} />
      <td class="due">
        <When task={task} today={today} />
      </td>
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

function What({ task }: { task: TaskRow }): VNode {
  const { id, title, inventory_number: number } = task;
  return (
    <td class="what">
      <a class="thing" href={`/tasks/${id}`} dir="auto">
        {title}
      </a>
      <span class="below">
        <span>{task.task_number}</span>
        {number !== null && (
          <span>
            <InventoryNumber>{number}</InventoryNumber> <bdi>{task.asset_name}</bdi>
          </span>
        )}
        {task.due_usage !== null && <span>{t("Due at {usage}", { usage: task.due_usage })}</span>}
      </span>
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
    return (
      <>
        {tRich("Completed {when}", {
          when: <Moment at={new Date(completedAt)} inline />,
        })}
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

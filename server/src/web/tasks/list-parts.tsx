import type { VNode } from "preact";
import type { Criticality } from "../../db/entities/asset.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
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

/** Search first, then everything that narrows the list down. */
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
  const places = [...workspaces, { value: "none", label: "In no workspace" }];
  const persons = [unassigned, ...people];
  return (
    <FilterForm
      path={path}
      label="Tasks"
      q={values.q}
      isNarrowed={toQuery(values).size > 0}
      folded={[
        { ...filter("workspace_id", "Workspace"), any: "All", options: places },
        { ...filter("state", "State"), usual: "open", options: toOptions(stateFilterLabels) },
        { ...filter("responsible", "Responsible"), any: "Anybody", options: persons },
        { ...filter("type", "Type"), any: "All", options: toOptions(taskTypeLabels) },
        { ...filter("priority", "Priority"), any: "All", options: toOptions(priorityLabels) },
        filter("due_from", "Due from"),
        filter("due_to", "Due to"),
      ]}
      sort={{ ...filter("sort", "Sort by"), usual: "urgency", options: toOptions(sortLabels) }}
    />
  );
}

export const taskColumns: readonly Column[] = [
  { kind: "what", label: "Task" },
  { kind: "state", label: "State" },
  { kind: "rank", label: "Priority" },
  { kind: "where", label: "Workspace" },
  { kind: "who", label: "Responsible" },
  { kind: "due", label: "Due" },
];

/** One task in a list; the row as a whole leads to it. */
export function TaskListRow({
  task,
  criticality,
  mayChange,
  isActing,
  today,
  timeZone,
}: {
  task: TaskRow;
  /** Of its asset. */
  criticality: Criticality | null;
  mayChange: boolean;
  /** Whether there is any row to act in. */
  isActing: boolean;
  today: string;
  timeZone: string;
}): VNode {
  const { id, title, inventory_number: number, workspace_name: workspace, progress } = task;
  return (
    <tr id={id}>
      {mayChange ? (
        <Pick id={id} name={`${task.task_number} ${title}`} />
      ) : (
        <td class="pick no-print" />
      )}
      <td class="what">
        <a class="thing" href={`/tasks/${id}`}>
          {title}
        </a>
        <span class="below">
          <span>{task.task_number}</span>
          {number !== null && (
            <span>
              <InventoryNumber>{number}</InventoryNumber> {task.asset_name}
            </span>
          )}
          {task.due_usage !== null && <span>{`Due at ${task.due_usage}`}</span>}
        </span>
      </td>
      <td class="state">
        <TaskBadge state={progress ?? task.state} />
      </td>
      <td class="rank">
        <PriorityTag priority={task.priority} />
        <CriticalityTag criticality={criticality} />
      </td>
      <td class="where">{workspace ?? <span class="soft">Not placed</span>}</td>
      <Who name={task.assigned_to} />
      <td class="due">
        <When task={task} today={today} timeZone={timeZone} />
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

function When({
  task: { completed_at: completedAt, due_date: due, days_overdue: late },
  today,
  timeZone,
}: {
  task: TaskRow;
  today: string;
  timeZone: string;
}): VNode {
  if (completedAt !== null) {
    return (
      <>
        Done <Moment at={new Date(completedAt)} timeZone={timeZone} inline />
      </>
    );
  }
  if (due === null) return <span class="soft">No due date</span>;
  if (late === null) return <DueDay day={due} today={today} />;
  return (
    <span class="late">
      <LateDay day={due} today={today} />
    </span>
  );
}

/** What may have been meant; each begins with the number of its task, which is an address of it. */
export function SimilarTasks({ tasks }: { tasks: readonly string[] }): VNode {
  return (
    <>
      <p>Did you mean one of these?</p>
      <ul class="did-you-mean">
        {tasks.map((task) => (
          <li key={task}>
            <a href={`/tasks/${task.split(" ", 1)[0] ?? ""}`}>{task}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

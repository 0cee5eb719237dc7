import type { VNode } from "preact";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { PriorityTag, TaskBadge } from "../layout/badges.js";
import { Moment } from "../layout/moment.js";
import { InventoryNumber } from "../layout/facts.js";
import { DueDay, LateDay } from "./task-parts.js";

/** One task in a list; the row as a whole leads to it. */
export function TaskListRow({
  task,
  today,
  timeZone,
}: {
  task: TaskRow;
  today: string;
  timeZone: string;
}): VNode {
  return (
    <li class="task-row">
      <span class="task-what">
        <a class="thing" href={`/tasks/${task.id}`}>
          {task.title}
        </a>
        <span class="task-where soft">
          <span>{task.task_number}</span>
          <TaskPlace task={task} />
        </span>
      </span>
      <span class="task-state">
        <TaskBadge state={task.state} progress={task.progress} />
        <PriorityTag priority={task.priority} />
      </span>
      <span class="task-due">
        <When task={task} today={today} timeZone={timeZone} />
      </span>
      <span class="task-who soft">{task.assigned_to ?? "Nobody responsible"}</span>
    </li>
  );
}

function TaskPlace({ task }: { task: TaskRow }): VNode {
  const { asset_name: asset, inventory_number: number, workspace_name: workspace } = task;
  if (asset === null) return <span>{workspace}</span>;
  return (
    <span>
      {number !== null && <InventoryNumber>{number}</InventoryNumber>} {asset}
    </span>
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
  return late === null ? <DueDay day={due} today={today} /> : <LateDay day={due} today={today} />;
}

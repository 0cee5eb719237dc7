import type { ComponentChildren, VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { AssetBadge } from "../layout/badges.js";
import { Moment } from "../layout/moment.js";
import { Facts, InventoryNumber } from "../layout/facts.js";
import {
  criticalityLabels,
  priorityLabels,
  taskStateLabels,
  taskTypeLabels,
} from "../text/value-labels.js";
import { formatDay } from "../text/format.js";
import { isOpen, type OpenedTask, type Task } from "./read-task.js";
import { DueDay, LateDay } from "./task-parts.js";
import { describeRepetition, inMinutes } from "./describe-task.js";

interface FactsProps {
  opened: OpenedTask;
  caller: Caller;
  today: string;
  neighbours: ReadonlyMap<string, TaskRow>;
}

/** When, who and where, beside what is to be done. */
export function TaskFacts({ opened, caller, today, neighbours }: FactsProps): VNode {
  const { task } = opened;
  const at = (moment: string | null) =>
    moment && <Moment at={new Date(moment)} timeZone={caller.timeZone} />;
  return (
    <aside class="task-aside" aria-label="Facts">
      <Asset opened={opened} />
      <Facts
        facts={[
          ["Due", task.due_date === null ? null : <Due opened={opened} today={today} />],
          ["Due by usage", task.due_usage && `At ${task.due_usage}`],
          ["Responsible", task.assigned_to ?? (isOpen(opened) ? "Unassigned" : null)],
          ["Priority", priorityLabels[task.priority]],
          ["Type", taskTypeLabels[task.type]],
          ["Workspace", toWorkspace(task)],
          ["Estimated time", inMinutes(task.estimated_minutes)],
          ["Asset out of use", task.requires_downtime === true ? "Needed for this work" : null],
          ["Started", at(task.started_at)],
          ["Completed", at(task.completed_at)],
          ["Completed by", task.completed_by],
          ["Cancelled", at(task.cancelled_at)],
          ["Repeats", task.recurrence ? describeRepetition(task.recurrence) : null],
          ["Next due", task.next_due_date ? formatDay(task.next_due_date) : null],
          ["Before this", toNeighbour(neighbours.get(task.previous_task_id ?? ""))],
          ["After this", toNeighbour(neighbours.get(task.next_task_id ?? ""))],
          ["Added", at(task.created_at)],
          ["Added by", task.created_by],
        ]}
      />
    </aside>
  );
}

function Due({ opened, today }: Pick<FactsProps, "opened" | "today">): VNode {
  const { state, due_date } = opened.task;
  const due = due_date ?? "";
  if (state === "overdue") return <LateDay day={due} today={today} />;
  // Whether it was due yesterday or in a week matters only as long as there is something to do.
  return isOpen(opened) ? <DueDay day={due} today={today} /> : <>{formatDay(due)}</>;
}

function toWorkspace({ workspace_id: id, workspace_name: name }: Task): ComponentChildren {
  return id === null ? "None" : <a href={`/tasks?workspace_id=${id}`}>{name}</a>;
}

function toNeighbour(task: TaskRow | undefined): ComponentChildren {
  if (task === undefined) return null;
  const due = task.due_date === null ? "" : `, due ${formatDay(task.due_date)}`;
  return (
    <>
      <a href={`/tasks/${task.id}`}>{task.task_number}</a>
      {` ${taskStateLabels[task.state].toLowerCase()}${due}`}
    </>
  );
}

function Asset({ opened: { asset } }: Pick<FactsProps, "opened">): VNode | null {
  if (asset === null) return null;
  return (
    <section class="task-asset" aria-label="Asset">
      <a href={`/assets/${asset.id}`}>{asset.name}</a>
      <p>
        <InventoryNumber>{asset.inventory_number}</InventoryNumber>
        <AssetBadge state={asset.state} />
      </p>
      <p class="soft">
        {asset.criticality === "critical"
          ? "Critical asset"
          : `${criticalityLabels[asset.criticality]} criticality`}
        {asset.location !== null && `, ${asset.location}`}
      </p>
    </section>
  );
}

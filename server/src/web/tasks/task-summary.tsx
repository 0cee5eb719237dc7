import type { ComponentChildren, VNode } from "preact";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { t } from "../../language/translate.js";
import { TaskBadge } from "../layout/badges.js";
import { InventoryNumber } from "../layout/facts.js";
import { DueDay, LateDay } from "./task-parts.js";

export function TaskSummary({
  task: { id, title, asset_name, inventory_number: number, assigned_to, state, progress },
  isOwn = false,
  picture,
  step,
  children,
}: {
  task: TaskRow;
  /** True if all tasks in the list belong to the reader. */
  isOwn?: boolean;
  picture?: VNode;
  step?: VNode | undefined;
  children?: ComponentChildren;
}): VNode {
  // The due date says that a task is overdue.
  const shown = progress ?? state;
  const badge = shown !== "scheduled" && <TaskBadge state={shown} />;
  return (
    <li>
      {picture}
      <div>
        <a class="thing" href={`/tasks/${id}`} dir="auto">
          {title}
        </a>
        {isOwn && badge && <p class="about">{badge}</p>}
        <p class="about">
          {number !== null && (
            <span>
              <InventoryNumber>{number}</InventoryNumber> <bdi>{asset_name}</bdi>
            </span>
          )}
          {children}
          {!isOwn && <span dir="auto">{assigned_to ?? t("Unassigned")}</span>}
        </p>
      </div>
      {!isOwn && badge}
      {step}
    </li>
  );
}

export function DueOf({ task, today }: { task: TaskRow; today: string }): VNode {
  if (task.due_date === null) return <span>{t("No due date")}</span>;
  const Due = task.state === "overdue" ? LateDay : DueDay;
  return (
    <span>
      <Due day={task.due_date} today={today} />
    </span>
  );
}

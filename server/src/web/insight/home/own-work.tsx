import type { VNode } from "preact";
import type { AttentionEntry } from "../../../domain/insight/attention.js";
import type { TaskPage } from "../../../domain/tasks/task-queries.js";
import type { TaskRow } from "../../../domain/tasks/task-rows.js";
import { t } from "../../../language/translate.js";
import { DueOf, TaskSummary } from "../../tasks/task-summary.js";
import { describeBroken, Step } from "./matter-rows.js";

export interface OwnTasks {
  /** Due by today, or begun. */
  today: readonly TaskRow[];
  next: readonly TaskRow[];
  total: number;
}

const nextAtMost = 5;

/** The reader's open tasks that the page doesn't show elsewhere. */
export function arrangeOwn(
  { tasks, total_count }: Pick<TaskPage, "tasks" | "total_count">,
  today: string,
): OwnTasks {
  const isNow = ({ due_date, state }: TaskRow) =>
    (due_date !== null && due_date <= today) || state === "in_progress";
  const now = tasks.filter(isNow);
  const next = tasks.filter((task) => !isNow(task)).slice(0, nextAtMost);
  return { today: now, next, total: total_count };
}

interface OwnWorkContext {
  today: string;
  /** Broken assets, by the task that repairs them. */
  broken: ReadonlyMap<string, AttentionEntry>;
  /** True in workspaces where the reader may complete tasks. */
  worksIn: (workspaceId: string | null) => boolean;
}

/** The reader's work of the day by place, and what comes next. */
export function OwnWork({
  own,
  isFirst,
  ...context
}: OwnWorkContext & {
  own: OwnTasks;
  /** False below the bands, which already show some of it. */
  isFirst: boolean;
}): VNode | null {
  const shown = own.today.length + own.next.length;
  if (shown === 0) return null;
  const places = [...new Set(own.today.map((task) => task.workspace_name))].toSorted(byName);
  return (
    <section aria-labelledby="own">
      <h2 id="own">
        {isFirst ? t("My work today") : t("Your other work")}{" "}
        <span class="count">{isFirst ? own.today.length : own.total}</span>
      </h2>
      {isFirst && own.today.length === 0 && <p class="soft">{t("Nothing due today.")}</p>}
      {places.map((place) => (
        <OwnTasksOf
          key={place}
          title={place ?? t("In no workspace")}
          tasks={own.today.filter((task) => task.workspace_name === place)}
          {...context}
        />
      ))}
      {own.next.length > 0 && (
        <OwnTasksOf title={t("Next||own work")} tasks={own.next} {...context} />
      )}
      {own.total > shown && (
        <p>
          <a href="/tasks?assignee=me">
            {t("View all your {count} open tasks", { count: own.total })}
          </a>
        </p>
      )}
    </section>
  );
}

/** Tasks without a place come last. */
function byName(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.localeCompare(other, undefined, { numeric: true });
}

function OwnTasksOf({
  title,
  tasks,
  today,
  broken,
  worksIn,
}: OwnWorkContext & { title: string; tasks: readonly TaskRow[] }): VNode {
  return (
    <>
      <h3 class="due-day" dir="auto">
        {title}
      </h3>
      <ul class="things due own">
        {tasks.map((task) => {
          const down = broken.get(task.id);
          return (
            <TaskSummary
              key={task.id}
              task={task}
              isOwn
              step={
                worksIn(task.workspace_id) ? (
                  <Step href={`/tasks/${task.id}/complete`} label={t("Complete")} of={task.title} />
                ) : undefined
              }
            >
              {down && <span class="late">{describeBroken(down)}</span>}
              <DueOf task={task} today={today} />
            </TaskSummary>
          );
        })}
      </ul>
    </>
  );
}

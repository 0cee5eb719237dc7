import type { VNode } from "preact";
import type { AttentionEntry } from "../../../domain/insight/attention.js";
import type { TaskAsset } from "../../../domain/tasks/task-assets.js";
import type { TaskRow } from "../../../domain/tasks/task-rows.js";
import { t } from "../../../language/translate.js";
import { byPlace, type OwnTasks } from "../../tasks/own-tasks.js";
import { StartOrComplete } from "../../tasks/row-acts.js";
import { TaskPicture } from "../../tasks/task-picture.js";
import { DueOf, TaskSummary } from "../../tasks/task-summary.js";
import { describeBroken } from "./matter-rows.js";

interface OwnWorkContext {
  today: string;
  /** Broken assets, by the task that repairs them. */
  broken: ReadonlyMap<string, AttentionEntry>;
  /** By task id. */
  assets: ReadonlyMap<string, TaskAsset>;
  /** Contractors who marked tasks as done, by task id. */
  doneBy: ReadonlyMap<string, string>;
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
  const places = new Set(own.today.toSorted(byPlace).map((task) => task.workspace_name));
  return (
    <section aria-labelledby="own">
      <h2 id="own">
        {isFirst ? t("My work today") : t("Your other work")}{" "}
        <span class="count">{isFirst ? own.today.length : own.total}</span>
      </h2>
      {isFirst && own.today.length === 0 && <p class="soft">{t("Nothing due today.")}</p>}
      {[...places].map((place) => (
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

function OwnTasksOf({
  title,
  tasks,
  today,
  broken,
  assets,
  doneBy,
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
          const contractor = doneBy.get(task.id);
          return (
            <TaskSummary
              key={task.id}
              task={task}
              isOwn
              picture={<TaskPicture task={task} asset={assets.get(task.id)} />}
              step={worksIn(task.workspace_id) ? <StartOrComplete task={task} /> : undefined}
            >
              {down && <span class="late">{describeBroken(down)}</span>}
              {contractor !== undefined && (
                <strong>{t("{name} says this is done", { name: contractor })}</strong>
              )}
              <DueOf task={task} today={today} />
            </TaskSummary>
          );
        })}
      </ul>
    </>
  );
}

import type { VNode } from "preact";
import { todayOf } from "../../domain/access/clock.js";
import { t, tRich } from "../../language/translate.js";
import { Person } from "../layout/avatar.js";
import { DaysLate, TaskBadge } from "../layout/badges.js";
import { Day } from "../layout/moment.js";
import { toAddress } from "../lists/pager.js";
import type { AssetView, OpenTask } from "./asset-view.js";

/** The most urgent tasks, at most `shown`. */
export function OpenTasks({ view, shown }: { view: AssetView; shown?: number }): VNode | null {
  const { asset, maintenance, caller } = view;
  const openTasks = view.openTasks.slice(0, shown);
  const isRetired = asset.state === "deleted";
  const more = maintenance.open_tasks - openTasks.length;
  const today = todayOf(caller);
  if (isRetired && openTasks.length === 0) return null;
  return (
    <section aria-labelledby="open-tasks">
      <h2 id="open-tasks">{isRetired ? t("Tasks on hold until it's back") : t("Open tasks")}</h2>
      {openTasks.length === 0 ? (
        <p class="soft">{t("No open tasks.")}</p>
      ) : (
        <ul class="things open-tasks">
          {openTasks.map((task) => (
            <OpenTaskRow key={task.id} task={task} today={today} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p class="no-print">
          <a href={toAddress("/tasks", new URLSearchParams({ q: asset.inventory_number }))}>
            {t("{count, plural, one {# more open task} other {# more open tasks}}", {
              count: more,
            })}
          </a>
        </p>
      )}
    </section>
  );
}

function OpenTaskRow({ task, today }: { task: OpenTask; today: string }): VNode {
  const { id, title, state, due_date: due, due_usage: usage, assigned_to: who } = task;
  return (
    <li>
      <a class="thing" href={`/tasks/${id}`} dir="auto">
        {title}
      </a>
      <span class="open-task">
        {state !== "overdue" && <TaskBadge state={state} />}
        {due !== null &&
          (state === "overdue" ? (
            <DaysLate due={due} today={today} />
          ) : (
            <span>{tRich("Due {when}", { when: <Day day={due} today={today} /> })}</span>
          ))}
        {usage !== null && <span class="soft">{t("Due at {usage}", { usage })}</span>}
        {who === null ? <span class="soft">{t("Unassigned")}</span> : <Person name={who} />}
        <span class="soft">{task.task_number}</span>
      </span>
    </li>
  );
}

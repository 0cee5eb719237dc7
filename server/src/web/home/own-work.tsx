import type { VNode } from "preact";
import type { TaskPage } from "../../domain/tasks/task-queries.js";
import { t } from "../../language/translate.js";
import { DueOf, TaskSummary } from "../tasks/task-summary.js";

/** The most urgent open tasks of the reader, before everybody's. */
export function OwnWork({
  own,
  today,
}: {
  own: TaskPage | undefined;
  today: string;
}): VNode | null {
  if (own === undefined || own.tasks.length === 0) return null;
  return (
    <section aria-labelledby="own">
      <h2 id="own">{t("Your work")}</h2>
      <ul class="things due">
        {own.tasks.map((task) => (
          <TaskSummary key={task.id} task={task} isOwn>
            <DueOf task={task} today={today} />
          </TaskSummary>
        ))}
      </ul>
      {own.total_count > own.tasks.length && (
        <p>
          <a href="/tasks?responsible=me">
            {t("See all {count} open tasks of yours", { count: own.total_count })}
          </a>
        </p>
      )}
    </section>
  );
}

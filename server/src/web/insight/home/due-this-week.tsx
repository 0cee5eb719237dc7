import type { VNode } from "preact";
import { daysBetween } from "../../../domain/shared/dates.js";
import type { TaskPage } from "../../../domain/tasks/task-queries.js";
import type { TaskRow } from "../../../domain/tasks/task-rows.js";
import { TaskSummary } from "../../tasks/task-summary.js";
import { describeDay, formatWeekday, lastDayOfWeek } from "../../text/format.js";
import { t } from "../../../language/translate.js";

export function DueThisWeek({
  due: { tasks: all, total_count, total_is_minimum },
  skipped,
  today,
}: {
  due: TaskPage;
  /** The tasks that the page shows as the reader's own. */
  skipped: ReadonlySet<string>;
  today: string;
}): VNode {
  const tasks = all.filter(({ id }) => !skipped.has(id));
  const days = [...new Set(tasks.map(({ due_date }) => due_date ?? today))];
  return (
    <section aria-labelledby="due">
      <h2 id="due">{t("Due in the next 7 days")}</h2>
      {all.length === 0 && (
        <p class="soft">
          {t("Nothing due until {day}.", { day: formatWeekday(lastDayOfWeek(today)) })}
        </p>
      )}
      {days.map((day) => (
        <DayOfWork
          key={day}
          day={day}
          today={today}
          tasks={tasks.filter(({ due_date }) => due_date === day)}
        />
      ))}
      {total_count > all.length && (
        <p>
          <a href={`/tasks?due_from=${today}&due_to=${lastDayOfWeek(today)}`}>
            {total_is_minimum
              ? t(
                  "{count, plural, one {View more than # task due in the next 7 days} other {View more than # tasks due in the next 7 days}}",
                  { count: total_count },
                )
              : t(
                  "{count, plural, one {View # task due in the next 7 days} other {View all # tasks due in the next 7 days}}",
                  { count: total_count },
                )}
          </a>
        </p>
      )}
    </section>
  );
}

function DayOfWork({
  day,
  today,
  tasks,
}: {
  day: string;
  today: string;
  tasks: readonly TaskRow[];
}): VNode {
  const isNear = daysBetween(today, day) < 2;
  return (
    <>
      <h3 class="due-day">
        <time dateTime={day}>
          {isNear && <span class="near">{describeDay(day, today)}, </span>}
          {formatWeekday(day)}
        </time>
      </h3>
      <ul class="things due">
        {tasks.map((task) => (
          <TaskSummary key={task.id} task={task}>
            {task.inventory_number === null && <span dir="auto">{task.workspace_name}</span>}
          </TaskSummary>
        ))}
      </ul>
    </>
  );
}

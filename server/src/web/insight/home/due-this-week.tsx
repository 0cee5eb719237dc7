import type { VNode } from "preact";
import { daysBetween } from "../../../domain/shared/dates.js";
import type { DueDay } from "../../../domain/tasks/plan-days.js";
import type { TaskRow } from "../../../domain/tasks/task-rows.js";
import { TaskSummary } from "../../tasks/task-summary.js";
import { describeDay, formatWeekday, lastDayOfWeek } from "../../text/format.js";
import { t } from "../../../language/translate.js";

export type DueWork = ReadonlyMap<string, DueDay>;

/** The rows of each day, so that a full day doesn't hide the next ones. */
const shownToday = 5;
const shownPerDay = 3;

export function DueThisWeek({
  due,
  own,
  today,
}: {
  /** By day. Undefined if there is too much work to count in time. */
  due: DueWork | undefined;
  /** The reader's own tasks, which the page shows elsewhere. */
  own: readonly TaskRow[];
  today: string;
}): VNode {
  const ownIds = new Set(own.map(({ id }) => id));
  const days = [...(due ?? [])].map(([day, { tasks, count }]) => {
    const shown = tasks
      .filter(({ id }) => !ownIds.has(id))
      .slice(0, day === today ? shownToday : shownPerDay);
    const ofOthers = count - own.filter(({ due_date }) => due_date === day).length;
    return { day, shown, count, more: ofOthers - shown.length };
  });
  const total = days.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-labelledby="due">
      <h2 id="due">{t("Due in the next 7 days")}</h2>
      {due?.size === 0 && (
        <p class="soft">
          {t("Nothing due until {day}.", { day: formatWeekday(lastDayOfWeek(today)) })}
        </p>
      )}
      {days
        .filter(({ shown }) => shown.length > 0)
        .map(({ day, shown, more }) => (
          <DayOfWork key={day} day={day} today={today} tasks={shown} more={more} />
        ))}
      {(due === undefined || days.some(({ more }) => more > 0)) && (
        <p>
          <a href={`/tasks?due_from=${today}&due_to=${lastDayOfWeek(today)}`}>
            {due === undefined
              ? t("View the tasks")
              : t(
                  "{count, plural, one {View # task due in the next 7 days} other {View all # tasks due in the next 7 days}}",
                  { count: total },
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
  more,
}: {
  day: string;
  today: string;
  tasks: readonly TaskRow[];
  /** The number of further tasks. */
  more: number;
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
      {more > 0 && (
        <p class="rest">
          <a href={`/tasks?due_from=${day}&due_to=${day}`}>
            {day === today
              ? t("{count} more today", { count: more })
              : t("{count} more on {day}", { count: more, day: formatWeekday(day) })}
          </a>
        </p>
      )}
    </>
  );
}

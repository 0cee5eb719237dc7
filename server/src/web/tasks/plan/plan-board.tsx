import type { ComponentChildren, VNode } from "preact";
import { workspaceRefOf } from "../../../domain/access/roles.js";
import type { ForecastOccurrence } from "../../../domain/tasks/plan-forecast.js";
import type { TaskRow } from "../../../domain/tasks/task-rows.js";
import { daysBetween, weekdayOf } from "../../../domain/shared/dates.js";
import { t, tRich } from "../../../language/translate.js";
import { PriorityTag, TaskBadge } from "../../layout/badges.js";
import { InventoryNumber } from "../../layout/facts.js";
import { describeLate, formatMinutes, formatNumber, formatWeekday } from "../../text/format.js";
import { formatShortDay, mondayOf } from "./plan-window.js";
import { toPlanAddress, type Plan } from "./read-plan.js";

export interface PlanView {
  plan: Plan;
  /** The ids from a refused form. */
  ticked: ReadonlySet<string>;
}

/** The maximum number of tasks per day in a month. A week shows all. */
const shownInMonth = 5;

/** Overdue work, then each day with its work: columns on wide screens, a list by day on phones. */
export function PlanBoard({ plan, ticked }: PlanView): VNode {
  const { window, today } = plan;
  // A month shows whole weeks. Work of past days appears before them as overdue.
  const first = window.view === "month" ? mondayOf(window.firstDay) : window.firstDay;
  const days = window.days.filter((day) => day >= first);
  return (
    <div class={`plan-board ${window.view}`}>
      <Overdue plan={plan} ticked={ticked} />
      <div class="plan-days">
        {days.map((day) => (
          <DayOfPlan key={day} plan={plan} ticked={ticked} day={day} isToday={day === today} />
        ))}
      </div>
    </div>
  );
}

function Overdue({ plan, ticked }: PlanView): VNode | null {
  const { overdue, values } = plan;
  if (overdue === undefined || overdue.total_count === 0) return null;
  const { tasks, total_count: total, total_is_minimum: isMinimum } = overdue;
  const count = formatNumber(total);
  return (
    <section class="plan-day overdue" aria-labelledby="overdue">
      <h2 id="overdue">
        {t("Overdue||tasks")}{" "}
        <span class="count">
          {isMinimum === true ? t("more than {counted}", { counted: count }) : count}
        </span>
      </h2>
      <ul>
        {tasks.map((task) => (
          <Card key={task.id} task={task} plan={plan} ticked={ticked} />
        ))}
      </ul>
      {total > tasks.length && (
        <p>
          <a href={`${toPlanAddress(values, { overdue: "all" })}#overdue`}>
            {isMinimum === true ? t("Show more overdue") : t("Show all {count} overdue", { count })}
          </a>
        </p>
      )}
    </section>
  );
}

function DayOfPlan({
  plan,
  ticked,
  day,
  isToday,
}: PlanView & { day: string; isToday: boolean }): VNode {
  const { due, forecast, window, values } = plan;
  const tasks = due.tasks.filter((task) => task.due_date === day).toSorted(unassignedFirst);
  const occurrences = forecast?.occurrences.filter((one) => one.day === day) ?? [];
  const room = window.view === "month" ? shownInMonth : Infinity;
  const foreseen = occurrences.slice(0, Math.max(0, room - tasks.length));
  const more = tasks.length + occurrences.length - Math.min(tasks.length, room) - foreseen.length;
  const isEmpty = tasks.length + occurrences.length === 0;
  const isOutside = window.view === "month" && day.slice(0, 7) !== window.begin.slice(0, 7);
  const kinds = [
    "plan-day",
    ...(isEmpty ? ["empty-day"] : []),
    ...(isToday ? ["today"] : []),
    ...(isOutside ? ["outside"] : []),
    ...(plan.workingDays.includes(weekdayOf(day)) ? [] : ["rest-day"]),
  ];
  return (
    <section class={kinds.join(" ")} aria-labelledby={`day-${day}`} data-day={day}>
      <h2 id={`day-${day}`}>
        <time dateTime={day}>
          <span class="day-short" aria-hidden="true">
            {formatShortDay(day)}
          </span>
          <span class="day-long">{formatWeekday(day)}</span>
        </time>
        {isToday && <span class="tag">{t("Today")}</span>}
      </h2>
      {isEmpty ? (
        <p class="soft">{t("Nothing is due.")}</p>
      ) : (
        <ul>
          {tasks.slice(0, room).map((task) => (
            <Card key={task.id} task={task} plan={plan} ticked={ticked} />
          ))}
          {foreseen.map((occurrence) => (
            <Foreseen key={occurrence.task.id} occurrence={occurrence} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p>
          <a href={toPlanAddress(values, { view: "week", from: mondayOf(day) })}>
            {tRich("{count} more<hidden> on {day}</hidden>", {
              count: formatNumber(more),
              day: formatWeekday(day),
              hidden: (words: ComponentChildren) => <span class="visually-hidden">{words}</span>,
            })}
          </a>
        </p>
      )}
    </section>
  );
}

const priorities = ["urgent", "high", "medium", "low"];

function unassignedFirst(left: TaskRow, right: TaskRow): number {
  return (
    Number(left.assigned_to_user_id !== null) - Number(right.assigned_to_user_id !== null) ||
    priorities.indexOf(left.priority) - priorities.indexOf(right.priority)
  );
}

function Card({ task, plan, ticked }: PlanView & { task: TaskRow }): VNode {
  const { id, task_number: number, title, estimated_minutes: time } = task;
  const mayChange = plan.mayChange(workspaceRefOf(task));
  const late = task.due_date === null ? 0 : daysBetween(task.due_date, plan.today);
  return (
    <li
      class="plan-card"
      id={id}
      data-day={task.due_date}
      data-person={task.assigned_to_user_id ?? "none"}
      data-minutes={time ?? 0}
    >
      {mayChange && (
        <span class="tick no-print">
          <input
            type="checkbox"
            name="ids"
            value={id}
            checked={ticked.has(id)}
            aria-label={t("Select {task}", { task: `${number} ${title}` })}
          />
        </span>
      )}
      <a class="thing" href={`/tasks/${id}`} dir="auto">
        {title}
      </a>
      <p class="about">
        <Place task={task} />
        <span class={task.assigned_to === null ? "unassigned" : undefined} dir="auto">
          {task.assigned_to ?? t("Unassigned")}
        </span>
        {time !== null && <span>{formatMinutes(time)}</span>}
        {late > 0 && <span class="late">{describeLate(late)}</span>}
      </p>
      <p class="plan-marks">
        <PriorityTag priority={task.priority} />
        {(task.progress ?? task.state) !== "scheduled" && task.state !== "overdue" && (
          <TaskBadge state={task.state} />
        )}
      </p>
    </li>
  );
}

function Place({ task }: { task: Plan["due"]["tasks"][number] }): VNode {
  const { asset_name: asset, inventory_number: number, workspace_name: workspace } = task;
  if (asset === null) return <span dir="auto">{workspace}</span>;
  return (
    <span>
      <InventoryNumber>{number ?? ""}</InventoryNumber> <bdi>{asset}</bdi>
    </span>
  );
}

/** An occurrence that will follow when the task before it is completed. */
function Foreseen({ occurrence: { task } }: { occurrence: ForecastOccurrence }): VNode {
  return (
    <li class="plan-card foreseen">
      <a class="thing" href={`/tasks/${task.id}`} dir="auto">
        {task.title}
      </a>
      <p class="about">
        <Place task={task} />
        <span>
          {task.repeats === null
            ? t("Expected, repeats")
            : t("Expected, {repeats}", { repeats: task.repeats })}
        </span>
      </p>
    </li>
  );
}

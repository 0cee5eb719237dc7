import type { ComponentChildren, VNode } from "preact";
import { workspaceRefOf } from "../../../domain/access/roles.js";
import type { ForecastOccurrence } from "../../../domain/tasks/plan-forecast.js";
import type { TaskRow } from "../../../domain/tasks/task-rows.js";
import { daysBetween, weekdayOf } from "../../../domain/shared/dates.js";
import { t, tRich } from "../../../language/translate.js";
import { PriorityTag, TaskBadge } from "../../layout/badges.js";
import { Avatar } from "../../layout/avatar.js";
import { InventoryNumber } from "../../layout/facts.js";
import {
  describeLate,
  formatDecimalHours,
  formatMinutes,
  formatNumber,
  formatWeekday,
} from "../../text/format.js";
import { toListQuery } from "../../lists/list-query.js";
import { formatShortDay, mondayOf } from "./plan-window.js";
import { maxOfDay, toPlanAddress, type Plan } from "./read-plan.js";

export interface PlanView {
  plan: Plan;
  /** The ids from a refused form. */
  selected: ReadonlySet<string>;
}

/** Overdue work, then each day with its work: columns on wide screens, a list by day on phones. */
export function PlanBoard({ plan, selected }: PlanView): VNode {
  const { window, today } = plan;
  // A month shows whole weeks. Work of past days appears before them as overdue.
  const first = window.view === "month" ? mondayOf(window.firstDay) : window.firstDay;
  const days = window.days.filter((day) => day >= first);
  return (
    <div class={`plan-board ${window.view}`}>
      <Overdue plan={plan} selected={selected} />
      <div class="plan-days">
        {days.map((day) => (
          <DayOfPlan key={day} plan={plan} selected={selected} day={day} isToday={day === today} />
        ))}
      </div>
    </div>
  );
}

function Overdue({ plan, selected }: PlanView): VNode | null {
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
          <Card key={task.id} task={task} plan={plan} selected={selected} />
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
  selected,
  day,
  isToday,
}: PlanView & { day: string; isToday: boolean }): VNode {
  const { window, values } = plan;
  const isWeek = window.view === "week";
  const { tasks, foreseen, more } = readDay(plan, day);
  const isEmpty = tasks.length + foreseen.length + more === 0;
  const isOutside = window.month !== undefined && !day.startsWith(window.month);
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
          {tasks.map((task) => (
            <Card key={task.id} task={task} plan={plan} selected={selected} />
          ))}
          {foreseen.map((occurrence) => (
            <Foreseen key={occurrence.task.id} occurrence={occurrence} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p>
          <a href={isWeek ? toDayList(values, day) : toDayOfWeek(values, day)}>
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

/** The rows of a day, and the number that it leaves out. */
function readDay({ due, forecast, window }: Plan, day: string) {
  const { tasks, count } = due?.get(day) ?? { tasks: [], count: 0 };
  const occurrences = forecast?.occurrences.filter((one) => one.day === day) ?? [];
  const room =
    window.view === "week" ? occurrences.length : Math.max(0, maxOfDay.month - tasks.length);
  const foreseen = occurrences.slice(0, room);
  return { tasks, foreseen, more: count - tasks.length + occurrences.length - foreseen.length };
}

/** All open tasks of a day. */
function toDayList({ workspace_id, assignee, type }: Plan["values"], day: string): string {
  const query = toListQuery({ workspace_id, assignee, type, due_from: day, due_to: day }, {});
  return `/tasks?${query.toString()}`;
}

/** A day in its week, which lists more of it and its expected work. */
function toDayOfWeek(values: Plan["values"], day: string): string {
  return `${toPlanAddress(values, { view: "week", from: mondayOf(day) })}#day-${day}`;
}

function Card({ task, plan, selected }: PlanView & { task: TaskRow }): VNode {
  const { id, task_number: number, title, estimated_minutes: time } = task;
  const mayChange = plan.mayChange(workspaceRefOf(task));
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
            checked={selected.has(id)}
            aria-label={t("Select {task}", { task: `${number} ${title}` })}
          />
        </span>
      )}
      <a class="thing" href={`/tasks/${id}`} dir="auto">
        {title}
      </a>
      <CardFacts task={task} plan={plan} />
    </li>
  );
}

function CardFacts({ task, plan }: { task: TaskRow; plan: Plan }): VNode {
  const { estimated_minutes: time, due_date: due } = task;
  const late = due === null ? 0 : daysBetween(due, plan.today);
  const isLate = late > 0 && <span class="late">{describeLate(late)}</span>;
  if (plan.window.view === "month") {
    return (
      <p class="about">
        <Who task={task} />
        {time !== null && <span>{formatDecimalHours(time)}</span>}
        {isLate}
        <PriorityTag priority={task.priority} />
      </p>
    );
  }
  return (
    <>
      <p class="about">
        <Place task={task} />
        <Who task={task} />
        {time !== null && <span>{formatMinutes(time)}</span>}
        {isLate}
      </p>
      <p class="plan-marks">
        <PriorityTag priority={task.priority} />
        {(task.progress ?? task.state) !== "scheduled" && task.state !== "overdue" && (
          <TaskBadge state={task.state} />
        )}
      </p>
    </>
  );
}

/** A month shows only the initials. */
function Who({ task: { assigned_to: name } }: { task: TaskRow }): VNode {
  const shown = name ?? t("Unassigned");
  return (
    <span class={name === null ? "who unassigned" : "who"} title={shown}>
      {name === null ? <span class="avatar" /> : <Avatar name={name} />}
      <bdi>{shown}</bdi>
    </span>
  );
}

function Place({ task }: { task: TaskRow }): VNode {
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

import type { ComponentChildren, VNode } from "preact";
import { isAbsentOn, minutesOn, type Capacity } from "../../../domain/people/capacity.js";
import {
  fewPeople,
  maxPeople,
  type Load,
  type PersonLoad,
  type PlanLoad,
} from "../../../domain/tasks/plan-load.js";
import { t, tRich } from "../../../language/translate.js";
import { triangle } from "../../layout/badges.js";
import { countOf, formatDecimalHours, formatNumber } from "../../text/format.js";
import type { Span } from "./plan-window.js";
import { toPlanAddress, type Plan } from "./read-plan.js";

/**
 * Each person's load per day or week, shaded by the share of their working time. Unassigned work is
 * below. A script lets people drop tasks on the rows and days.
 */
export function LoadTable({ plan }: { plan: Plan }): VNode | null {
  const { load, window, values } = plan;
  if (load === undefined || load.all.total.tasks === 0) return null;
  const { people, unassigned, count } = load;
  const { spans, hasOverdue } = window;
  const shown = values.load === "all" ? people : people.slice(0, fewPeople);
  return (
    <section aria-labelledby="load" class="plan-load">
      <h2 id="load">{t("Load")}</h2>
      <div
        class="table-scroll panel"
        role="region"
        aria-label={t("Load of each person")}
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Assignee")}</th>
              <th scope="col" class="sum">
                {t("Total")}
              </th>
              {hasOverdue && <th scope="col">{t("Overdue||tasks")}</th>}
              {spans.map(({ from, label }) => (
                <th scope="col" class="span" key={from}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((person) => (
              <PersonRow key={person.id} plan={plan} person={person} />
            ))}
          </tbody>
          <tfoot>
            {unassigned !== undefined && <PersonRow plan={plan} person={unassigned} />}
            {count + Number(unassigned !== undefined) > 1 && (
              <TotalRow all={load.all} hasOverdue={hasOverdue} />
            )}
          </tfoot>
        </table>
      </div>
      <p class="help">
        {t("Hours are estimates. Tasks without an estimate are counted separately.")}{" "}
        {people.length > shown.length && (
          <a href={`${toPlanAddress(values, { load: "all" })}#load`}>
            <ShowMore count={count} />
          </a>
        )}
        {values.load === "all" &&
          count > shown.length &&
          t("{count} people have work. Showing the {max} with the most.", {
            count: formatNumber(count),
            max: maxPeople,
          })}
      </p>
    </section>
  );
}

function ShowMore({ count }: { count: number }): VNode {
  if (count > maxPeople)
    return <>{t("Show the {max} people with the most work", { max: maxPeople })}</>;
  return (
    <>
      {tRich("Show all {count}<hidden> people with work</hidden>", {
        count: formatNumber(count),
        hidden: (words: ComponentChildren) => <span class="visually-hidden">{words}</span>,
      })}
    </>
  );
}

function PersonRow({ plan, person }: { plan: Plan; person: PersonLoad }): VNode {
  const { window, values } = plan;
  const { id, name, total, capacity } = person;
  const [late, ...ofSpans] = person.spans;
  return (
    <tr class={id === null ? "unassigned" : undefined} data-person={id ?? "none"}>
      <th scope="row">
        <a href={toPlanAddress(values, { assignee: id ?? "none" })} dir="auto">
          {id === null ? t("Unassigned") : (name ?? t("Former member"))}
        </a>
      </th>
      <td class="sum">
        {capacity === undefined ? (
          <Amount load={total} />
        ) : (
          <Share
            load={total}
            minutes={minutesOn(
              capacity,
              window.spans.flatMap((one) => one.days),
            )}
          />
        )}
      </td>
      {window.hasOverdue && <LateCell load={late} />}
      {window.spans.map((span, index) => (
        <SpanCell
          key={span.from}
          span={span}
          load={ofSpans[index]}
          capacity={capacity}
          // A week of a month is no day to drop a task on.
          day={window.view === "week" ? span.from : undefined}
        />
      ))}
    </tr>
  );
}

/** "46 h of 38 h", as a bar and in words. */
function Share({ load, minutes }: { load: Load; minutes: number }): VNode {
  const over = load.minutes - minutes;
  // The bar shows the larger of both.
  const all = Math.max(load.minutes, minutes, 1);
  const toWidth = (part: number) => `${Math.round((part / all) * 100)}%`;
  return (
    <>
      <svg class="load-bar" width="100%" height="8" aria-hidden="true">
        <rect class="track" width="100%" height="8" rx="2" />
        <rect width={toWidth(Math.min(load.minutes, minutes))} height="8" rx="2" />
        {over > 0 && (
          <rect class="over" x={toWidth(minutes)} width={toWidth(over)} height="8" rx="2" />
        )}
      </svg>
      <span class="of">
        {t("{load} of {capacity}", {
          load: formatDecimalHours(load.minutes),
          capacity: formatDecimalHours(minutes),
        })}
      </span>
      {over > 0 && (
        <span class="over">
          <Triangle />
          {t("{time} over||the working time", { time: formatDecimalHours(over) })}
        </span>
      )}
      <Unestimated load={load} />
    </>
  );
}

function Triangle(): VNode {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" fill="currentColor" aria-hidden="true">
      <path d={triangle} />
    </svg>
  );
}

function TotalRow({
  all: { spans, total },
  hasOverdue,
}: Pick<PlanLoad, "all"> & { hasOverdue: boolean }): VNode {
  const [late, ...ofSpans] = spans;
  return (
    <tr>
      <th scope="row">{t("All")}</th>
      <td class="sum">
        <Amount load={total} />
      </td>
      {hasOverdue && <LateCell load={late} />}
      {ofSpans.map((sum, index) => (
        <td key={index} class="span">
          <Amount load={sum} />
        </td>
      ))}
    </tr>
  );
}

function LateCell({ load }: { load: Load | undefined }): VNode {
  const isEmpty = load === undefined || load.tasks === 0;
  return (
    <td class={isEmpty ? undefined : "bad"}>
      <Amount load={load} />
    </td>
  );
}

/** The shades of a cell by the share of the working time, the last one for more than all. */
const shades = [0, 0.5, 0.85, 1];

/** The classes of a cell: its shade, and why the person doesn't work then. */
function toKinds(capacity: Capacity, days: readonly string[], work: number): string[] {
  const able = minutesOn(capacity, days);
  const shade = work === 0 ? 0 : shades.filter((share) => work > share * able).length;
  const rest = isAbsentOn(capacity, days[0] ?? "") ? "absent" : "free";
  return [...(shade > 0 ? [`shade-${shade}`] : []), ...(able === 0 ? [rest] : [])];
}

function SpanCell({
  span: { days },
  load,
  capacity,
  day,
}: {
  span: Span;
  load: Load | undefined;
  capacity: Capacity | undefined;
  day: string | undefined;
}): VNode {
  const kinds = capacity === undefined ? [] : toKinds(capacity, days, load?.minutes ?? 0);
  const isAbsent = kinds.includes("absent");
  return (
    <td class={["span", ...kinds].join(" ")} data-day={day}>
      {kinds.includes(`shade-${shades.length}`) && (
        <>
          <Triangle />
          <span class="visually-hidden">{t("Over the working time:")} </span>
        </>
      )}
      {(!isAbsent || (load !== undefined && load.tasks > 0)) && <Amount load={load} />}
      {isAbsent && <span class="away">{t("Absent")}</span>}
    </td>
  );
}

/** The estimated time, and the number of tasks without an estimate: "2 h 30 min + 1 task". */
function Amount({ load }: { load: Load | undefined }): VNode {
  if (load === undefined || load.tasks === 0) return <span class="soft">–</span>;
  if (load.minutes === 0) return <>{countOf(load.tasks, "task")}</>;
  return (
    <>
      {formatDecimalHours(load.minutes)}
      <Unestimated load={load} />
    </>
  );
}

function Unestimated({ load: { unestimated } }: { load: Load }): VNode | null {
  if (unestimated === 0) return null;
  return <span class="soft">{` + ${countOf(unestimated, "task")}`}</span>;
}

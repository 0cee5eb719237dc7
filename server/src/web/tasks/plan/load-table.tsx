import type { ComponentChildren, VNode } from "preact";
import {
  maxPeople,
  type Load,
  type PersonLoad,
  type PlanLoad,
} from "../../../domain/tasks/plan-load.js";
import { t, tRich } from "../../../language/translate.js";
import { countOf, formatMinutes, formatNumber } from "../../text/format.js";
import { toPlanAddress, type Plan } from "./read-plan.js";

/** The people with the most work. The others are shown on request. */
const shownAtFirst = 8;

/** Each person's load per day or week. Unassigned work comes first. */
export function LoadTable({ plan }: { plan: Plan }): VNode | null {
  const { load, window, values } = plan;
  if (load === undefined || load.count === 0) return null;
  const { people, count } = load;
  const { spans, hasOverdue } = window;
  const shown = values.load === "all" ? people : people.slice(0, shownAtFirst);
  const highest = Math.max(...people.map(({ total }) => weightOf(total)));
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
              {hasOverdue && <th scope="col">{t("Overdue||tasks")}</th>}
              {spans.map(({ from, label }) => (
                <th scope="col" class="span" key={from}>
                  {label}
                </th>
              ))}
              <th scope="col">{t("Total")}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((person) => (
              <PersonRow key={person.id} plan={plan} person={person} highest={highest} />
            ))}
          </tbody>
          {count > 1 && <TotalRow all={load.all} hasOverdue={hasOverdue} />}
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

function PersonRow({
  plan: { values, window },
  person: { id, name, spans, total },
  highest,
}: {
  plan: Plan;
  person: PersonLoad;
  highest: number;
}): VNode {
  const [late, ...ofSpans] = spans;
  return (
    <tr class={id === null ? "unassigned" : undefined}>
      <th scope="row">
        <a href={toPlanAddress(values, { assignee: id ?? "none" })} dir="auto">
          {id === null ? t("Unassigned") : (name ?? t("Former member"))}
        </a>
      </th>
      {window.hasOverdue && <LoadCell load={late} isLate />}
      {ofSpans.map((load, index) => (
        <LoadCell key={index} load={load} isOfSpan />
      ))}
      <td>
        <Amount load={total} />
        <svg class="load-bar" width="100%" height="4" aria-hidden="true">
          <rect width={`${highest === 0 ? 0 : (weightOf(total) / highest) * 100}%`} height="4" />
        </svg>
      </td>
    </tr>
  );
}

function TotalRow({
  all: { spans, total },
  hasOverdue,
}: Pick<PlanLoad, "all"> & { hasOverdue: boolean }): VNode {
  const [late, ...ofSpans] = spans;
  return (
    <tfoot>
      <tr>
        <th scope="row">{t("All")}</th>
        {hasOverdue && <LoadCell load={late} isLate />}
        {ofSpans.map((sum, index) => (
          <LoadCell key={index} load={sum} isOfSpan />
        ))}
        <td>
          <Amount load={total} />
        </td>
      </tr>
    </tfoot>
  );
}

function LoadCell({
  load,
  isLate = false,
  isOfSpan = false,
}: {
  load: Load | undefined;
  isLate?: boolean;
  isOfSpan?: boolean;
}): VNode {
  const isEmpty = load === undefined || load.tasks === 0;
  return (
    <td class={isOfSpan ? "span" : isLate && !isEmpty ? "bad" : undefined}>
      {isEmpty ? <span class="soft">–</span> : <Amount load={load} />}
    </td>
  );
}

/** The estimated time, and the number of tasks without an estimate: "2 h 30 min + 1 task". */
function Amount({ load: { tasks, minutes, unestimated } }: { load: Load }): VNode {
  if (minutes === 0) return <>{countOf(tasks, "task")}</>;
  return (
    <>
      {formatMinutes(minutes)}
      {unestimated > 0 && <span class="soft">{` + ${countOf(unestimated, "task")}`}</span>}
    </>
  );
}

/** Compares loads by time, and equal times by tasks. */
function weightOf({ minutes, tasks }: Load): number {
  return minutes + tasks / 1000;
}

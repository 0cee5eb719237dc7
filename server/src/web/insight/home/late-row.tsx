import type { VNode } from "preact";
import type { AttentionEntry } from "../../../domain/insight/attention.js";
import { toChangeAddress } from "../../tasks/change-many.js";
import { countOf, describeLate } from "../../text/format.js";
import { t } from "../../../language/translate.js";
import { joinNames } from "./arrange-bands.js";
import {
  importanceOf,
  RescheduleStep,
  Row,
  Step,
  TaskSteps,
  type MatterProps,
  type RowContext,
} from "./matter-rows.js";

/** Overdue work of one kind: a task, or several with the same title. */
export function LateRow({
  entries,
  ...context
}: RowContext & { entries: readonly AttentionEntry[] }): VNode | null {
  const [first] = entries;
  if (first === undefined) return null;
  return entries.length > 1 ? (
    <LateGroup entries={entries} first={first} covers={context.covers} />
  ) : (
    <LateTask entry={first} {...context} />
  );
}

function LateTask({ entry, covers, ...context }: MatterProps): VNode {
  const { asset, workspace, task } = entry;
  const name = task?.assigned_to ?? t("Unassigned");
  return (
    <Row
      asset={asset}
      covers={covers}
      href={`/tasks/${task?.id ?? ""}`}
      title={task?.title}
      reason={describeLate(entry.days ?? 0)}
      tone="bad"
      about={[asset?.name, workspace?.name, importanceOf(entry), name]}
    >
      {task !== null && entry.may_change && context.manages(workspace) && (
        <RescheduleStep task={task} />
      )}
      <TaskSteps entry={entry} covers={covers} {...context} />
    </Row>
  );
}

function LateGroup({
  entries,
  first,
  covers,
}: Pick<RowContext, "covers"> & {
  entries: readonly AttentionEntry[];
  first: AttentionEntry;
}): VNode {
  const title = first.task?.title ?? "";
  const days = entries.map((entry) => entry.days ?? 0);
  const [least, most] = [Math.min(...days), Math.max(...days)];
  const ids = entries.flatMap(({ task }) => task?.id ?? []);
  const names = joinNames(entries.flatMap(({ asset }) => asset?.name ?? []));
  const people = entries.map(({ task }) => task?.assigned_to ?? t("Unassigned"));
  return (
    <Row
      asset={first.asset}
      covers={covers}
      href={`/tasks?${new URLSearchParams({ state: "overdue", q: title }).toString()}`}
      title={
        <>
          {title}{" "}
          <span class="times">
            <span aria-hidden="true">×{entries.length}</span>
            <span class="visually-hidden">({countOf(entries.length, "task")})</span>
          </span>
        </>
      }
      reason={
        least === most
          ? describeLate(most)
          : t("up to {count, plural, one {# day} other {# days}} overdue", { count: most })
      }
      tone="bad"
      about={[
        nameSome(names),
        nameSome([...new Set(entries.flatMap(({ workspace }) => workspace?.name ?? []))]),
        nameSome([...new Set(people)]),
      ]}
    >
      {entries.every(({ may_change: mayChange }) => mayChange) && (
        <>
          <Step href={toChangeAddress(ids, "due")} label={t("Reschedule")} of={title} />
          <Step href={toChangeAddress(ids, "assignee")} label={t("Assign")} of={title} />
        </>
      )}
    </Row>
  );
}

const namedAtMost = 3;

/** The first few names, and the number of others. */
function nameSome(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const first = names.slice(0, namedAtMost).join(", ");
  const others = names.length - namedAtMost;
  return others > 0 ? t("{names} +{others}", { names: first, others }) : first;
}

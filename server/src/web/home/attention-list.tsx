import type { VNode } from "preact";
import type { TaskPriority } from "../../db/entities/maintenance-task.js";
import type { Attention, AttentionEntry } from "../../domain/attention/attention.js";
import type { AttentionReason } from "../../domain/attention/reasons.js";
import type { WorkspaceRef } from "../../domain/access/roles.js";
import { TaskActs } from "../tasks/row-acts.js";
import { ActionLink } from "../layout/page-head.js";
import { InventoryNumber } from "../layout/facts.js";
import { countOf } from "../text/format.js";

interface AttentionView {
  attention: Attention | undefined;
  isLong: boolean;
  /** Where the caller decides who does what: there giving work away comes first. */
  manages: (place: WorkspaceRef) => boolean;
  today: string;
}

/** What needs attention: the reason first, then the asset, then the obvious next thing. */
export function AttentionList(view: AttentionView): VNode {
  const { attention } = view;
  return (
    <section id="attention" aria-labelledby="attention-title">
      <h2 id="attention-title">Needs attention</h2>
      {attention === undefined ? <TooMuch /> : <Matters {...view} attention={attention} />}
    </section>
  );
}

function TooMuch(): VNode {
  return (
    <p class="panel">
      There is too much here to put in order while you wait. Begin with{" "}
      <a href="/tasks?state=overdue">what is overdue</a> and{" "}
      <a href="/assets?state=out_of_service">what is out of service</a>.
    </p>
  );
}

function Matters({
  attention: { entries, has_more },
  isLong,
  ...view
}: AttentionView & { attention: Attention }): VNode {
  return (
    <>
      {entries.length === 0 ? (
        <p class="panel calm">
          Nothing needs attention. No work is overdue, nothing is out of service without a plan, and
          somebody is responsible for all that is urgent or due soon.
        </p>
      ) : (
        <ol class="matters">
          {entries.map((entry) => (
            <MatterRow key={(entry.asset ?? entry.task)?.id} entry={entry} {...view} />
          ))}
        </ol>
      )}
      {has_more && <More isLong={isLong} shown={entries.length} />}
    </>
  );
}

function More({ isLong, shown }: { isLong: boolean; shown: number }): VNode {
  if (isLong) {
    return (
      <p class="soft">
        These are the {shown} most pressing ones. The{" "}
        <a href="/tasks?state=overdue">overdue tasks</a> are listed in full.
      </p>
    );
  }
  return (
    <p>
      <a href="/?attention=all#attention">Show more that needs attention</a>
    </p>
  );
}

type MatterView = { entry: AttentionEntry } & Pick<AttentionView, "manages" | "today">;

function MatterRow({ entry, ...view }: MatterView): VNode {
  const { asset, workspace, task, more } = entry;
  const name = asset?.name ?? task?.title ?? "";
  return (
    <li class={`matter ${tones[entry.reason]}`}>
      <div>
        <p class="why">
          {task === null ? (
            toReasonLabel(entry)
          ) : (
            <a href={`/tasks/${task.id}`}>{toReasonLabel(entry)}</a>
          )}
        </p>
        <p class="about">
          {asset !== null && (
            <a href={`/assets/${asset.id}`}>
              <InventoryNumber>{asset.inventory_number}</InventoryNumber> {asset.name}
            </a>
          )}
          <About parts={[workspace?.name, importance(entry), responsible(entry)]} />
          {more > 0 && <span class="more">and {more} more</span>}
        </p>
      </div>
      <MatterActs entry={entry} name={name} {...view} />
    </li>
  );
}

/** Who decides who does the work gives it away, everybody else does it. */
function MatterActs({ entry, name, manages, today }: MatterView & { name: string }): VNode {
  const { href, label } = nextStep(entry);
  const task = entry.may_change ? entry.task : null;
  const isManaged = task !== null && manages(entry.workspace);
  return (
    <div class="matter-acts">
      {!isManaged && (
        <ActionLink href={href} quiet>
          {label} <span class="visually-hidden">({name})</span>
        </ActionLink>
      )}
      {task !== null && <TaskActs task={task} today={today} word={isManaged ? "Assign" : "More"} />}
    </div>
  );
}

function About({ parts }: { parts: readonly (string | undefined)[] }): VNode {
  return (
    <>
      {parts
        .filter((part) => part !== undefined)
        .map((part) => (
          <span key={part}>{part}</span>
        ))}
    </>
  );
}

/** The edge of an entry; the words say the same. */
const tones: Record<AttentionReason, string> = {
  overdue: "bad",
  out_of_service: "bad",
  unassigned: "wait",
  repeated_failures: "wait",
  warranty_ending: "calm",
};

function importance({ asset }: AttentionEntry): string | undefined {
  if (asset?.criticality === "critical") return "Critical asset";
  return asset?.criticality === "high" ? "High criticality" : undefined;
}

function responsible({ reason, task }: AttentionEntry): string | undefined {
  if (reason !== "overdue" || task === null) return undefined;
  return task.assigned_to ?? "Unassigned";
}

/** Why something is on the list: "Load test overdue by 3 days". */
function toReasonLabel({ reason, task, days, failures }: AttentionEntry): string {
  return reasonLabels[reason]({
    title: task?.title ?? "",
    priority: task?.priority,
    days,
    failures: failures ?? 0,
  });
}

interface Matter {
  title: string;
  priority: TaskPriority | undefined;
  days: number | null;
  failures: number;
}

const reasonLabels: Record<AttentionReason, (matter: Matter) => string> = {
  overdue: ({ title, days }) => `${title} overdue by ${countOf(days ?? 0, "day")}`,
  out_of_service: ({ days }) => `Out of service ${since(days ?? 0)}, and no work is planned`,
  unassigned: ({ title, priority, days }) =>
    `${title} ${urgency(priority, days)}, and is unassigned`,
  repeated_failures: ({ failures }) => `Failed ${countOf(failures, "time")} in the last 365 days`,
  warranty_ending: ({ days }) => `Warranty ends ${soon(days ?? 0)}`,
};

function since(days: number): string {
  return days === 0 ? "since today" : `for ${countOf(days, "day")}`;
}

function urgency(priority: TaskPriority | undefined, days: number | null): string {
  const isPressing = priority === "urgent" || priority === "high";
  const pressing = priority === "urgent" ? "is urgent" : "has high priority";
  if (days === null) return pressing;
  return isPressing ? `${pressing} and is due ${soon(days)}` : `is due ${soon(days)}`;
}

function soon(days: number): string {
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(days, "day");
}

/** The one thing to do about it; who may not do it is shown where to look. */
function nextStep({ reason, asset, task, may_change }: AttentionEntry): {
  href: string;
  label: string;
} {
  if (task !== null) {
    const href = `/tasks/${task.id}`;
    if (!may_change) return { href, label: "Look at task" };
    return reason === "overdue"
      ? { href: `${href}/complete`, label: "Complete" }
      : { href: `${href}/edit`, label: "Assign" };
  }
  const id = asset?.id ?? "";
  if (reason === "out_of_service" && may_change) {
    return { href: `/tasks/new?asset=${id}`, label: "Plan the repair" };
  }
  return { href: `/assets/${id}`, label: "Look at asset" };
}

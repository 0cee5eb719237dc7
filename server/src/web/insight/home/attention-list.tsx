import type { ComponentChildren, VNode } from "preact";
import type { TaskPriority } from "../../../db/entities/tasks.js";
import type { Attention, AttentionEntry } from "../../../domain/insight/attention.js";
import type { AttentionReason } from "../../../domain/insight/reasons.js";
import type { WorkspaceRef } from "../../../domain/access/roles.js";
import { TaskActs } from "../../tasks/row-acts.js";
import { ActionLink } from "../../layout/page-head.js";
import { InventoryNumber } from "../../layout/facts.js";
import { describeDays } from "../../text/format.js";
import { t, tRich } from "../../../language/translate.js";

interface AttentionView {
  attention: Attention | undefined;
  isLong: boolean;
  /** True in places where the caller assigns work. Assigning comes first there. */
  manages: (place: WorkspaceRef) => boolean;
  today: string;
}

export const shownAtMost = 200;

/** The items that need attention: the reason first, then the asset, then the obvious next step. */
export function AttentionList(view: AttentionView): VNode {
  const { attention } = view;
  return (
    <section id="attention" aria-labelledby="attention-title">
      <h2 id="attention-title">{t("Needs attention")}</h2>
      {attention === undefined ? <TooMuch /> : <Matters {...view} attention={attention} />}
    </section>
  );
}

function TooMuch(): VNode {
  return (
    <p class="panel">
      {tRich(
        "Too much to sort here. Start with the <tasks>overdue tasks</tasks> and the <assets>assets out of service</assets>.",
        {
          tasks: (words) => <a href="/tasks?state=overdue">{words}</a>,
          assets: (words) => <a href="/assets?state=out_of_service">{words}</a>,
        },
      )}
    </p>
  );
}

function Matters({
  attention: { entries, total, isCapped },
  isLong,
  ...view
}: AttentionView & { attention: Attention }): VNode {
  return (
    <>
      {entries.length === 0 ? (
        <p class="panel calm">
          {t(
            "You're all caught up. Nothing is broken or overdue, and everything urgent or due soon has an assignee.",
          )}
        </p>
      ) : (
        <ol class="matters">
          {entries.map((entry) => (
            <MatterRow key={(entry.asset ?? entry.task)?.id} entry={entry} {...view} />
          ))}
        </ol>
      )}
      {total > entries.length && (
        <More
          isLong={isLong}
          shown={entries.length}
          total={isCapped ? `${String(total)}+` : total}
        />
      )}
    </>
  );
}

interface Shown {
  isLong: boolean;
  shown: number;
  total: number | string;
}

function More({ isLong, shown, total }: Shown): VNode {
  if (isLong) {
    return (
      <p class="soft">
        {tRich("Showing the {shown} most urgent of {total}. <a>View all overdue tasks</a>", {
          shown,
          total,
          a: (words) => <a href="/tasks?state=overdue">{words}</a>,
        })}
      </p>
    );
  }
  return (
    <p>
      <a href="/?attention=all#attention">{t("Show all {count}", { count: total })}</a>
    </p>
  );
}

type MatterView = { entry: AttentionEntry } & Pick<AttentionView, "manages" | "today">;

function MatterRow({ entry, ...view }: MatterView): VNode {
  const { asset, workspace, task, more } = entry;
  const name = asset?.name ?? task?.title ?? "";
  const href = task === null ? reportAddress(entry) : `/tasks/${task.id}`;
  return (
    <li class={`matter ${tones[entry.reason]}`}>
      <div>
        <p class="why">
          {href === undefined ? toReasonLabel(entry) : <a href={href}>{toReasonLabel(entry)}</a>}
        </p>
        <p class="about">
          {asset !== null && (
            <a href={`/assets/${asset.id}`}>
              <InventoryNumber>{asset.inventory_number}</InventoryNumber> <bdi>{asset.name}</bdi>
            </a>
          )}
          <About parts={[workspace?.name, importance(entry), responsible(entry)]} />
          {more > 0 && (
            <span class="more">
              {t("and {count, plural, one {# more reason} other {# more reasons}}", {
                count: more,
              })}
            </span>
          )}
        </p>
      </div>
      <MatterActs entry={entry} name={name} {...view} />
    </li>
  );
}

/** People who assign work see that action. Everyone else sees the next step. */
function MatterActs({ entry, name, manages, today }: MatterView & { name: string }): VNode {
  const { href, label } = nextStep(entry);
  const task = entry.may_change ? entry.task : null;
  const isManaged = task !== null && manages(entry.workspace);
  return (
    <div class="matter-acts">
      {!isManaged && (
        <ActionLink href={href} quiet>
          {label}{" "}
          <span class="visually-hidden">
            (<bdi>{name}</bdi>)
          </span>
        </ActionLink>
      )}
      {task !== null && (
        <TaskActs task={task} today={today} word={isManaged ? t("Assign") : t("More||acts")} />
      )}
    </div>
  );
}

function About({ parts }: { parts: readonly (string | undefined)[] }): VNode {
  return (
    <>
      {parts
        .filter((part) => part !== undefined)
        .map((part) => (
          <span key={part} dir="auto">
            {part}
          </span>
        ))}
    </>
  );
}

/** The color of an item's edge. The text has this information too. */
const tones: Record<AttentionReason, string> = {
  reported_unusable: "bad",
  out_of_service: "bad",
  in_maintenance: "bad",
  overdue: "bad",
  unassigned: "wait",
  repeated_failures: "wait",
  warranty_ending: "calm",
};

function importance({ asset }: AttentionEntry): string | undefined {
  if (asset?.criticality === "critical") return t("Critical asset");
  return asset?.criticality === "high" ? t("High criticality") : undefined;
}

function responsible({ reason, task }: AttentionEntry): string | undefined {
  if (reason === "unassigned" || task === null) return undefined;
  return task.assigned_to ?? t("Unassigned");
}

/** The reason that an item is listed: "Load test overdue by 3 days". */
function toReasonLabel({ reason, task, report, ...entry }: AttentionEntry): ComponentChildren {
  const { days, failures } = entry;
  return reasonLabels[reason]({
    title: <bdi>{task?.title}</bdi>,
    description: <bdi>{cut(report?.description ?? "")}</bdi>,
    isPlanned: task !== null,
    priority: task?.priority,
    days,
    failures: failures ?? 0,
  });
}

function cut(text: string): string {
  const letters = Array.from(text);
  return letters.length > 100 ? `${letters.slice(0, 100).join("")}…` : text;
}

interface AttentionItem {
  title: VNode;
  description: VNode;
  isPlanned: boolean;
  priority: TaskPriority | undefined;
  days: number | null;
  failures: number;
}

const reasonLabels: Record<AttentionReason, (matter: AttentionItem) => ComponentChildren> = {
  overdue: ({ title, days }) =>
    tRich("{title} · {count, plural, one {# day} other {# days}} overdue", {
      title,
      count: days ?? 0,
    }),
  reported_unusable: ({ title, description, isPlanned }) =>
    tRich("Reported as unusable: {what}", { what: isPlanned ? title : description }),
  out_of_service: ({ title, days, isPlanned }) =>
    isPlanned
      ? tRich(
          "{days, plural, =0 {Out of service since today: {title}} one {Out of service for # day: {title}} other {Out of service for # days: {title}}}",
          { days: days ?? 0, title },
        )
      : t(
          "{days, plural, =0 {Out of service since today, no repair planned} one {Out of service for # day, no repair planned} other {Out of service for # days, no repair planned}}",
          { days: days ?? 0 },
        ),
  in_maintenance: ({ title, days, isPlanned }) =>
    isPlanned
      ? tRich(
          "{days, plural, =0 {In maintenance since today: {title}} one {In maintenance for # day: {title}} other {In maintenance for # days: {title}}}",
          { days: days ?? 0, title },
        )
      : t(
          "{days, plural, =0 {In maintenance since today, no repair planned} one {In maintenance for # day, no repair planned} other {In maintenance for # days, no repair planned}}",
          { days: days ?? 0 },
        ),
  unassigned: describeUnassigned,
  repeated_failures: ({ failures }) =>
    t(
      "{count, plural, one {Failed # time in the last 365 days} other {Failed # times in the last 365 days}}",
      { count: failures },
    ),
  warranty_ending: ({ days }) => t("Warranty ends {when}", { when: describeDays(days ?? 0) }),
};

function describeUnassigned({ title, priority, days }: AttentionItem): ComponentChildren {
  if (days === null) {
    return priority === "urgent"
      ? tRich("{title} · Urgent · no assignee", { title })
      : tRich("{title} · High priority · no assignee", { title });
  }
  const values = { title, when: describeDays(days) };
  if (priority === "urgent") {
    return tRich("{title} · Urgent · due {when} · no assignee", values);
  }
  return priority === "high"
    ? tRich("{title} · High priority · due {when} · no assignee", values)
    : tRich("{title} · due {when} · no assignee", values);
}

/** The address of an open report, for people who may decide. */
function reportAddress({ report, may_change }: AttentionEntry): string | undefined {
  return report !== null && may_change ? `/reports/${report.id}` : undefined;
}

/** The one next step. People who may not take it get a link to view. */
function nextStep(entry: AttentionEntry): { href: string; label: string } {
  const { reason, asset, task, may_change } = entry;
  if (task !== null) {
    const href = `/tasks/${task.id}`;
    if (!may_change) return { href, label: t("View task") };
    return reason === "unassigned"
      ? { href: `${href}/edit`, label: t("Assign") }
      : { href: `${href}/complete`, label: t("Complete") };
  }
  const report = reportAddress(entry);
  if (report !== undefined) return { href: report, label: t("View report") };
  const id = asset?.id ?? "";
  if (isDown(reason) && may_change) {
    return { href: `/tasks/new?asset=${id}`, label: t("Plan the repair") };
  }
  return { href: `/assets/${id}`, label: t("View asset") };
}

function isDown(reason: AttentionReason): boolean {
  return reason === "out_of_service" || reason === "in_maintenance";
}

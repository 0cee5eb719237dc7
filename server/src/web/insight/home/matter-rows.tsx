import type { ComponentChildren, VNode } from "preact";
import type { WorkspaceRef } from "../../../domain/access/roles.js";
import type { AttentionEntry } from "../../../domain/insight/attention.js";
import { daysBetween } from "../../../domain/shared/dates.js";
import { AssetPicture } from "../../layout/asset-picture.js";
import { PriorityTag, TaskBadge } from "../../layout/badges.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink, OfSubject } from "../../layout/page-head.js";
import { toChangeAddress } from "../../tasks/change-many.js";
import { TaskActs } from "../../tasks/row-acts.js";
import { describeDays, describeLate } from "../../text/format.js";
import { t, tRich } from "../../../language/translate.js";

export interface RowContext {
  /** True in places where the caller assigns work. Assigning comes first there. */
  manages: (place: WorkspaceRef) => boolean;
  today: string;
  /** The pictures of assets, by asset. */
  covers: ReadonlyMap<string, string>;
}

export interface MatterProps extends RowContext {
  entry: AttentionEntry;
}

interface RowProps {
  asset: AttentionEntry["asset"];
  covers: ReadonlyMap<string, string>;
  href: string;
  title: ComponentChildren;
  /** Why the row is listed. */
  reason: ComponentChildren;
  tone: "bad" | "wait" | "calm";
  about: readonly ComponentChildren[];
  children?: ComponentChildren;
}

/** A row of a band: what it is about, the reason, some facts and one next step. */
export function Row({
  asset,
  covers,
  href,
  title,
  reason,
  tone,
  about,
  children,
}: RowProps): VNode {
  return (
    <li class={`matter ${tone}`}>
      {asset !== null && <AssetPicture asset={asset} cover={covers.get(asset.id)} />}
      <div class="matter-text">
        <p class="why">
          <a href={href} dir="auto">
            {title}
          </a>{" "}
          <span class={`reason ${tone}`}>{reason}</span>
        </p>
        <p class="about">
          {about
            .filter((part) => part !== undefined && part !== null && part !== false)
            .map((part, at) => (
              <span key={at} dir="auto">
                {part}
              </span>
            ))}
        </p>
      </div>
      {children !== undefined && <div class="matter-acts">{children}</div>}
    </li>
  );
}

export function BrokenRow({ entry, covers, ...context }: MatterProps): VNode {
  const { asset, workspace, task, report, note } = entry;
  const open = task === null ? report : null;
  return (
    <Row
      asset={asset}
      covers={covers}
      href={`/assets/${asset?.id ?? ""}`}
      title={asset?.name}
      reason={describeBroken(entry)}
      tone="bad"
      about={[
        workspace?.name,
        importanceOf(entry),
        report === null && note !== null && <q>{cut(note)}</q>,
        open === null ? describeRepair(entry, context.today) : <q>{cut(open.description)}</q>,
        open && tRich("reported {when}", { when: <Moment at={open.created_at} inline /> }),
      ]}
    >
      <BrokenActs entry={entry} covers={covers} {...context} />
    </Row>
  );
}

/** "Out of service for 3 days" */
export function describeBroken({ reason, days: since }: AttentionEntry): string {
  const days = since ?? 0;
  if (reason === "reported_unusable") return t("Can't be used");
  return reason === "out_of_service"
    ? t(
        "{days, plural, =0 {Out of service since today} one {Out of service for # day} other {Out of service for # days}}",
        { days },
      )
    : t(
        "{days, plural, =0 {In maintenance since today} one {In maintenance for # day} other {In maintenance for # days}}",
        { days },
      );
}

function describeRepair({ task }: AttentionEntry, today: string): ComponentChildren {
  if (task === null) return t("No repair planned");
  const { id, title, due_date: due, state, assigned_to: name } = task;
  const late = due === null ? 0 : daysBetween(due, today);
  return (
    <>
      {tRich("Repair: {title}", {
        title: (
          <a href={`/tasks/${id}`}>
            <bdi>{title}</bdi>
          </a>
        ),
      })}
      {" · "}
      {state !== "scheduled" && (
        <>
          <TaskBadge state={state} />
          {" · "}
        </>
      )}
      <bdi>{name ?? t("Unassigned")}</bdi>
      {late > 0 && (
        <>
          {" · "}
          <span class="late">{describeLate(late)}</span>
        </>
      )}
    </>
  );
}

/** A report is decided first, then a repair planned, assigned, and done. */
function BrokenActs({ entry, ...context }: MatterProps): VNode {
  const { asset, workspace, task, report, may_change: mayChange } = entry;
  if (task !== null) {
    const isAssigned = task.assigned_to !== null && mayChange && context.manages(workspace);
    if (!isAssigned) return <TaskSteps entry={entry} {...context} />;
    return (
      <>
        <RescheduleStep task={task} />
        <Step href={`/tasks/${task.id}`} label={t("View task")} of={task.title} />
      </>
    );
  }
  const name = asset?.name ?? "";
  const id = asset?.id ?? "";
  if (!mayChange) return <Step href={`/assets/${id}`} label={t("View asset")} of={name} />;
  return report === null ? (
    <Step href={`/tasks/new?asset=${id}&repair=1`} label={t("Plan repair")} of={name} />
  ) : (
    <Step href={`/reports/${report.id}`} label={t("Review report")} of={name} />
  );
}

export function UnassignedRow({ entry, covers, ...context }: MatterProps): VNode {
  const { asset, workspace, task, days } = entry;
  return (
    <Row
      asset={asset}
      covers={covers}
      href={`/tasks/${task?.id ?? ""}`}
      title={task?.title}
      reason={days === null ? t("No due date") : t("Due {when}", { when: describeDays(days) })}
      tone="wait"
      about={[
        asset?.name,
        workspace?.name,
        task && <PriorityTag priority={task.priority} />,
        importanceOf(entry),
      ]}
    >
      <TaskSteps entry={entry} covers={covers} {...context} />
    </Row>
  );
}

/** No step is due here, so the row only links to its asset. */
export function WatchRow({ entry, covers }: MatterProps): VNode {
  const { reason, asset, workspace, failures, days } = entry;
  return (
    <Row
      asset={asset}
      covers={covers}
      href={`/assets/${asset?.id ?? ""}`}
      title={asset?.name}
      reason={
        reason === "warranty_ending"
          ? t("Warranty ends {when}", { when: describeDays(days ?? 0) })
          : t(
              "{count, plural, one {Failed # time in the last 365 days} other {Failed # times in the last 365 days}}",
              { count: failures ?? 0 },
            )
      }
      tone="calm"
      about={[workspace?.name, importanceOf(entry)]}
    />
  );
}

/** People who assign work see that action. Everyone else sees the next step. */
export function TaskSteps({ entry, manages, today }: MatterProps): VNode | null {
  const { task, workspace, may_change: mayChange } = entry;
  if (task === null) return null;
  const href = `/tasks/${task.id}`;
  if (!mayChange) return <Step href={href} label={t("View task")} of={task.title} />;
  if (manages(workspace)) {
    return <TaskActs task={task} today={today} word={t("Assign")} onlyAssigns />;
  }
  return (
    <>
      <Step href={`${href}/complete`} label={t("Complete")} of={task.title} />
      <TaskActs task={task} today={today} word={t("More||acts")} />
    </>
  );
}

export function RescheduleStep({ task }: { task: { id: string; title: string } }): VNode {
  return <Step href={toChangeAddress([task.id], "due")} label={t("Reschedule")} of={task.title} />;
}

/** The one next step. */
export function Step({ href, label, of }: { href: string; label: string; of: string }): VNode {
  return (
    <ActionLink href={href} quiet>
      {label}
      <OfSubject name={of} />
    </ActionLink>
  );
}

export function importanceOf({ asset }: AttentionEntry): string | undefined {
  if (asset?.criticality === "critical") return t("Critical asset");
  return asset?.criticality === "high" ? t("High criticality") : undefined;
}

function cut(text: string): string {
  const letters = Array.from(text);
  return letters.length > 100 ? `${letters.slice(0, 100).join("")}…` : text;
}

import type { ComponentChildren, VNode } from "preact";
import type { Criticality } from "../../db/entities/assets.js";
import { serverName } from "../../domain/audit/record-activity.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import type { ReportRow } from "../../domain/reports/find-reports.js";
import { t, translated } from "../../language/translate.js";
import { AssetPicture } from "../layout/asset-picture.js";
import { Person } from "../layout/avatar.js";
import { AssetBadge } from "../layout/badges.js";
import { Moment } from "../layout/moment.js";
import { Facts, InventoryNumber } from "../layout/facts.js";
import { Origin } from "../reports/report-cards.js";
import { priorityLabels, taskTypeLabels } from "../text/value-labels.js";
import { formatDay } from "../text/format.js";
import { isOpen, type OpenedTask, type Task } from "./read-task.js";
import { DueDay, LateDay } from "./task-parts.js";
import { describeRepetition, inMinutes } from "./describe-task.js";

interface FactsProps {
  opened: OpenedTask;
  today: string;
  neighbours: ReadonlyMap<string, TaskRow>;
  /** The id of the asset's newest picture. */
  cover: string | undefined;
  /** The reports that the task was created for. */
  reports: readonly ReportRow[];
}

export function TaskFacts({ opened, today, neighbours, cover, reports }: FactsProps): VNode {
  const { task } = opened;
  const at = (moment: string | null) => moment && <Moment at={new Date(moment)} />;
  return (
    <aside class="task-aside" aria-label={t("Details")}>
      <Asset opened={opened} cover={cover} />
      <Facts
        facts={[
          [t("Due"), task.due_date === null ? null : <Due opened={opened} today={today} />],
          [t("Due by usage"), task.due_usage && t("At {usage}", { usage: task.due_usage })],
          [t("Assignee"), name(task.assigned_to) ?? (isOpen(opened) ? t("Unassigned") : null)],
          [t("Priority"), priorityLabels[task.priority]],
          [t("Type"), taskTypeLabels[task.type]],
          [t("Workspace"), toWorkspace(task)],
          [t("Estimated time"), inMinutes(task.estimated_minutes)],
          [t("Requires downtime"), task.requires_downtime === true ? t("Yes") : null],
          [t("Started"), at(task.started_at)],
          [t("Completed"), at(task.completed_at)],
          [t("Completed by"), name(task.completed_by)],
          [t("Cancelled"), at(task.cancelled_at)],
          [t("Repeats"), task.recurrence ? describeRepetition(task.recurrence) : null],
          [t("Next due"), task.next_due_date ? formatDay(task.next_due_date) : null],
          [t("Previous"), toNeighbour(neighbours.get(task.previous_task_id ?? ""))],
          [t("Next"), toNeighbour(neighbours.get(task.next_task_id ?? ""))],
          [
            t("Reported"),
            reports.length === 0 ? null : <Origins reports={reports} may={opened.may} />,
          ],
          [t("Added"), at(task.created_at)],
          [t("Added by"), task.previous_task_id ? serverName : name(task.created_by)],
        ]}
      />
    </aside>
  );
}

function Origins({
  reports,
  may,
}: {
  reports: readonly ReportRow[];
  may: OpenedTask["may"];
}): VNode {
  return (
    <>
      {reports.map((report) => (
        <div key={report.id} class="file-line">
          {report.location !== null && <span dir="auto">{report.location}</span>}
          <Origin report={report} isNamed={may.change} />
          {may.change && <a href={`/reports/${report.id}`}>{t("View report")}</a>}
        </div>
      ))}
    </>
  );
}

function name(person: string | null): VNode | null {
  return person === null ? null : <Person name={person} />;
}

function Due({ opened, today }: Pick<FactsProps, "opened" | "today">): VNode {
  const { state, due_date } = opened.task;
  const due = due_date ?? "";
  if (state === "overdue") return <LateDay day={due} today={today} />;
  // The distance in days matters only while the task is open.
  return isOpen(opened) ? <DueDay day={due} today={today} /> : <>{formatDay(due)}</>;
}

function toWorkspace({ workspace_id: id, workspace_name: name }: Task): ComponentChildren {
  if (id === null) return t("None||no workspace");
  return (
    <a href={`/tasks?workspace_id=${id}`} dir="auto">
      {name}
    </a>
  );
}

/** Appears after the number of the task. */
const states: Record<TaskRow["state"], string> = translated({
  overdue: "overdue||state of a task",
  scheduled: "scheduled||state of a task",
  in_progress: "in progress||state of a task",
  on_hold: "on hold||state of a task",
  completed: "completed||state of a task",
  cancelled: "cancelled||state of a task",
});

function toNeighbour(task: TaskRow | undefined): ComponentChildren {
  if (task === undefined) return null;
  const { due_date: due } = task;
  const state = states[task.state];
  return (
    <>
      <a href={`/tasks/${task.id}`}>{task.task_number}</a>{" "}
      {due === null ? state : t("{state}, due {day}", { state, day: formatDay(due) })}
    </>
  );
}

const criticalities: Record<Criticality, string> = translated({
  critical: "Critical asset",
  high: "High criticality",
  medium: "Medium criticality",
  low: "Low criticality",
});

function Asset({ opened: { asset }, cover }: Pick<FactsProps, "opened" | "cover">): VNode | null {
  if (asset === null) return null;
  return (
    <section class="task-asset with-picture" aria-label={t("Asset")}>
      <AssetPicture asset={asset} cover={cover} />
      <div>
        <a href={`/assets/${asset.id}`} dir="auto">
          {asset.name}
        </a>
        <p>
          <InventoryNumber>{asset.inventory_number}</InventoryNumber>
          <AssetBadge state={asset.state} />
        </p>
        <p class="soft">
          <span>
            {criticalities[asset.criticality]}
            {asset.location !== null && (
              <>
                {" · "}
                <bdi>{asset.location}</bdi>
              </>
            )}
          </span>
        </p>
      </div>
    </section>
  );
}

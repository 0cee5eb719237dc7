import type { Tx } from "../../db/database.js";
import type { Notification, NotificationKind } from "../../db/entities/messaging.js";
import type { ReportStatus } from "../../db/entities/reports.js";
import { TaskLink } from "../../db/entities/tasks.js";
import { createParameters } from "../../db/parameters.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { visibleAssetSql, visibleTaskSql } from "../access/visibility.js";
import { commentAddress, getComment } from "../comments/find-comments.js";
import { contractorNameSql } from "../shared/contractor-name.js";
import { toTaskNumber } from "../shared/task-references.js";

/** A notification in a person's list. */
export interface AppNotification extends Pick<Notification, "kind" | "subject" | "created_at"> {
  is_read: boolean;
  /** The person or contractor who caused it. */
  actor: string | null;
  /** The task or asset that it concerns. Null if the person can't view it. */
  title: string | null;
  /** The outcome of a report. */
  status: ReportStatus | null;
}

export type NotificationKey = Pick<Notification, "kind" | "subject">;

interface Found extends Omit<AppNotification, "title"> {
  task_number: number | null;
  task: string | null;
  asset: string | null;
}

const maxShown = 50;

/** A page of the person's notifications, newest first. */
export async function listNotifications(
  db: Tx,
  caller: Caller,
  before?: NotificationKey,
): Promise<{ notifications: AppNotification[]; hasMore: boolean }> {
  const parameters = createParameters(caller.organizationId, caller.userId);
  const older =
    before === undefined
      ? ""
      : `AND (n.created_at, n.kind, n.subject) < (
          SELECT p.created_at, p.kind, p.subject FROM notifications p
          WHERE p.organization_id = $1 AND p.user_id = $2
            AND p.kind = ${parameters.add(before.kind)} AND p.subject = ${parameters.add(before.subject)})`;
  const found = await db.query<Found>(
    `SELECT n.kind, n.subject, n.created_at, n.read_at IS NOT NULL AS is_read, coalesce(by.name, ${contractorNameSql("l")}) AS actor,
       t.task_number::int AS task_number, t.title AS task, a.name AS asset,
       coalesce(said.status, r.status) AS status
     FROM notifications n
     LEFT JOIN users by ON by.id = n.actor_user_id
     LEFT JOIN comments c ON c.organization_id = $1 AND c.id = n.subject
     LEFT JOIN task_links l ON l.organization_id = $1 AND l.id = coalesce(c.task_link_id, n.subject)
     LEFT JOIN maintenance_tasks t ON t.organization_id = $1
       AND t.id = coalesce(c.task_id, l.task_id, n.subject) AND NOT t.hidden
       AND ${visibleTaskSql(caller, parameters, "t")}
     LEFT JOIN problem_reports r ON r.organization_id = $1 AND r.id = n.subject
       AND r.reported_by = $2
     LEFT JOIN problem_reports said ON said.organization_id = $1 AND said.id = r.merged_into
       AND said.status <> 'open'
     LEFT JOIN assets a ON a.organization_id = $1 AND a.id = coalesce(c.asset_id, r.asset_id)
       AND ${visibleAssetSql(caller, parameters, "a")}
     WHERE n.organization_id = $1 AND n.user_id = $2 AND n.in_app ${older}
     ORDER BY n.created_at DESC, n.kind DESC, n.subject DESC LIMIT ${maxShown + 1}`,
    parameters.values,
  );
  return {
    notifications: found.slice(0, maxShown).map(({ task_number, task, asset, ...row }) => ({
      ...row,
      title: task_number === null ? asset : `${toTaskNumber(task_number)} ${task ?? ""}`,
    })),
    hasMore: found.length > maxShown,
  };
}

/** Marks one notification as read, or all. Reading twice changes nothing. */
export async function markRead(
  tx: Tx,
  { organizationId, userId }: Pick<Caller, "organizationId" | "userId">,
  only?: NotificationKey,
): Promise<void> {
  await tx.query(
    `UPDATE notifications SET read_at = app_now()
     WHERE organization_id = $1 AND user_id = $2 AND in_app AND read_at IS NULL
       AND ($3::text IS NULL OR kind = $3 AND subject = $4)`,
    [organizationId, userId, only?.kind ?? null, only?.subject ?? null],
  );
}

/** The address of a notification's subject. Throws for a comment that the person can't view. */
export async function findSubjectAddress(
  db: Tx,
  caller: Caller,
  { kind, subject }: NotificationKey,
): Promise<string> {
  if (kind === "comment") return commentAddress(await getComment(db, caller, subject));
  if (kind !== "contractor_done") return subjectAddress[kind](subject);
  const where = { organization_id: caller.organizationId, id: subject };
  const link = await db.findOne(TaskLink, { where });
  if (link === undefined) throw new AppError("not_found", "nothing_there");
  return `/tasks/${link.task_id}`;
}

const subjectAddress: Record<
  Exclude<NotificationKind, "comment" | "contractor_done">,
  (subject: string) => string
> = {
  assigned: (id) => `/tasks/${id}`,
  reminder: () => "/tasks?assignee=me",
  report_answered: () => "/reports",
  weekly_digest: () => "/trends",
};

/** The address that marks a notification as read and leads to its subject. */
export function notificationAddress({ kind, subject }: NotificationKey): string {
  return `/notifications/${kind}/${subject}`;
}

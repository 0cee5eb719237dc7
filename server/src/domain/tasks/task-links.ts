import { IsNull, type Database, type Tx } from "../../db/database.js";
import { liveTaskLinkSql } from "../../db/live-task-link.js";
import { TaskLink } from "../../db/entities/tasks.js";
import { createParameters } from "../../db/parameters.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { isMemberInSql, requireRoleIn, workspaceRefOf } from "../access/roles.js";
import { isVisibleTaskSql } from "../access/visibility.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { updateInBatches } from "../history/batches.js";
import { recordEvent } from "../history/record-events.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { cleanEmail } from "../shared/emails.js";
import { createId, idKindOf } from "../shared/ids.js";
import { hashSecret } from "../shared/secrets.js";
import { getTaskId, toTaskNumber } from "../shared/task-references.js";
import { cleanText } from "../shared/text.js";
import { mayEmail, queueLinkMail } from "./task-link-mails.js";
import type { TaskLinkSecrets } from "./task-link-secrets.js";
import { readTaskRecord, type TaskRecord } from "./task-record.js";
import { isOpenState } from "./task-states.js";

export const linkDays = [1, 7, 30] as const;
export const maxContractor = 100;
export const maxReason = 2000;

/** Links of a task that work at the same time. */
const maxActive = 5;
/** Links of a task in all. Every one is kept as the author of what was done through it. */
const maxOfTask = 50;

export interface NewTaskLink {
  contractor: string;
  /** Sends the link to this address. */
  email?: string | undefined;
  days: (typeof linkDays)[number];
}

export interface LinkServices {
  secrets: TaskLinkSecrets;
  mails: MailCipher;
}

/** Lets a contractor without an account work on an open task. Stores only the secret's hash. */
export async function createTaskLink(
  tx: Tx,
  caller: Caller,
  reference: string,
  { secrets, mails }: LinkServices,
  given: NewTaskLink,
): Promise<{ id: string; isSent: boolean }> {
  const task = await lockTask(tx, caller, reference);
  const task_number = toTaskNumber(task.task_number);
  if (!isOpenState(task.state) || task.hidden) {
    throw new AppError("conflict", "task_link_of_closed", { task_number });
  }
  const contractor = cleanText(given.contractor, { field: "contractor", max: maxContractor });
  const { email: typed = "" } = given;
  const email = typed.trim() === "" ? null : cleanEmail(typed);
  await requireFewLinks(tx, caller, task.id);
  const { organizationId: organization_id, userId } = caller;
  const id = createId("taskLink");
  const secret = secrets.create({ organizationId: organization_id, id });
  const { expires_at } = await tx.one<{ expires_at: Date }>(
    `INSERT INTO task_links (organization_id, id, task_id, contractor, email, token_hash, created_by,
       expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, app_now() + make_interval(days => $8))
     RETURNING expires_at`,
    [...[organization_id, id, task.id, contractor, email, hashSecret(secret), userId], given.days],
  );
  await recordLinkChange(tx, caller, task, { field: "contractor_link", to: contractor });
  const details = { task_id: task.id, task_number, contractor };
  await recordCallerActivity(tx, caller, "task_link_created", details);
  if (email === null || !mails.delivers) return { id, isSent: false };
  if (!(await mayEmail(tx, caller, email))) {
    throw new AppError("conflict", "too_many_task_link_mails", { field: "email" });
  }
  const link = { email, secret, end: expires_at };
  await queueLinkMail(tx, caller, mails, { link, task: task.title }, { kind: "task_link" });
  return { id, isSent: true };
}

async function requireFewLinks(tx: Tx, { organizationId }: Caller, taskId: string): Promise<void> {
  const { active, total } = await tx.one<{ active: number; total: number }>(
    `SELECT count(*) FILTER (WHERE ${liveTaskLinkSql("l")})::int AS active, count(*)::int AS total
     FROM task_links l WHERE l.organization_id = $1 AND l.task_id = $2`,
    [organizationId, taskId],
  );
  if (active < maxActive && total < maxOfTask) return;
  throw new AppError("conflict", "too_many_task_links", { max: maxActive });
}

export type LinkState = "active" | "revoked" | "expired" | "ended";

export interface ShownTaskLink extends Pick<
  TaskLink,
  | "id"
  | "contractor"
  | "email"
  | "created_at"
  | "revoked_at"
  | "opened_at"
  | "done_at"
  | "done_note"
  | "sent_back_at"
  | "sent_back_reason"
> {
  /** "ended": the person who shared the task can no longer change it. */
  state: LinkState;
  expires_at: Date;
  /** The person who shared the task. */
  shared_by: string;
}

/** The links of a task, newest first. Empty if the caller can't see the task. */
export async function findTaskLinks(
  db: Tx,
  caller: Caller,
  taskId: string,
): Promise<ShownTaskLink[]> {
  const parameters = createParameters(caller.organizationId, taskId);
  return db.query(
    `SELECT l.id, l.contractor, l.email::text AS email, l.created_at, l.expires_at, l.revoked_at,
       l.opened_at, l.done_at, l.done_note, l.sent_back_at, l.sent_back_reason,
       u.name AS shared_by,
       CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked'
         WHEN l.expires_at <= app_now() THEN 'expired'
         WHEN u.deactivated_at IS NOT NULL OR m.user_id IS NULL OR ${hasLostRoleSql} THEN 'ended'
         ELSE 'active' END AS state
     FROM task_links l JOIN users u ON u.id = l.created_by
     JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = l.task_id
     LEFT JOIN organization_members m ON m.organization_id = $1 AND m.user_id = l.created_by
       AND m.removed_at IS NULL
     WHERE l.organization_id = $1 AND l.task_id = $2 AND ${isVisibleTaskSql(caller, parameters)}
     ORDER BY l.created_at DESC, l.id`,
    parameters.values,
  );
}

/** SQL condition: the member `m` can't change the task `t`. */
const hasLostRoleSql = `(m.role = 'member'
  AND NOT ${isMemberInSql("m.user_id", "t.workspace_id")})`;

export async function getTaskLink(
  db: Tx,
  caller: Caller,
  taskId: string,
  id: string,
): Promise<ShownTaskLink> {
  const links = idKindOf(id) === "taskLink" ? await findTaskLinks(db, caller, taskId) : [];
  const link = links.find((one) => one.id === id);
  if (link === undefined) throw new AppError("not_found", "task_link_not_found");
  return link;
}

/** Ends a link. Waits for a change that the contractor is making, and allows no later one. */
export async function revokeTaskLink(
  tx: Tx,
  caller: Caller,
  taskId: string,
  id: string,
): Promise<void> {
  const task = await lockTask(tx, caller, taskId);
  const { contractor } = await getTaskLink(tx, caller, task.id, id);
  const where = { organization_id: caller.organizationId, id, revoked_at: IsNull() };
  const affected = await tx.update(TaskLink, where, { revoked_at: () => "app_now()" });
  if (affected === 0) return;
  await recordLinkChange(tx, caller, task, { field: "contractor_link", from: contractor });
  await recordCallerActivity(tx, caller, "task_link_revoked", {
    task_id: task.id,
    task_number: toTaskNumber(task.task_number),
    contractor,
  });
}

/**
 * Rejects work that a contractor marked as done. The contractor sees the reason at the link, and
 * gets it by email if the link still works and has an address.
 */
export async function sendTaskBack(
  tx: Tx,
  caller: Caller,
  { secrets, mails }: LinkServices,
  { taskId, id }: { taskId: string; id: string },
  given: string,
): Promise<{ isSent: boolean }> {
  const reason = cleanText(given, { field: "reason", max: maxReason, multiline: true });
  const task = await lockTask(tx, caller, taskId);
  const link = await getTaskLink(tx, caller, task.id, id);
  if (link.done_at === null) return { isSent: false };
  await tx.update(
    TaskLink,
    { organization_id: caller.organizationId, id },
    {
      ...{ done_at: null, done_note: null, sent_back_reason: reason },
      sent_back_at: () => "app_now()",
    },
  );
  const change = { field: "contractor_done", from: link.contractor } as const;
  await recordLinkChange(tx, caller, task, change, reason);
  const { email, state, expires_at: end } = link;
  if (email === null || state !== "active" || !mails.delivers) return { isSent: false };
  const secret = await findSecret(tx, secrets, { organizationId: caller.organizationId, id });
  if (secret === undefined || !(await mayEmail(tx, caller, email))) return { isSent: false };
  const work = { link: { email, secret, end }, task: task.title };
  await queueLinkMail(tx, caller, mails, work, { kind: "task_sent_back", reason });
  return { isSent: true };
}

async function findSecret(
  tx: Tx,
  secrets: TaskLinkSecrets,
  link: { organizationId: string; id: string },
): Promise<string | undefined> {
  const where = { organization_id: link.organizationId, id: link.id };
  const hash = (await tx.findOne(TaskLink, { where }))?.token_hash;
  return hash == null ? undefined : secrets.find(link, hash);
}

async function lockTask(tx: Tx, caller: Caller, reference: string): Promise<TaskRecord> {
  const id = await getTaskId(tx, caller, reference, { lock: true });
  const task = await readTaskRecord(tx, caller, id);
  await requireRoleIn(tx, caller, workspaceRefOf(task), "member", "share tasks with contractors");
  return task;
}

export async function recordLinkChange(
  tx: Tx,
  caller: Caller,
  task: Pick<TaskRecord, "id" | "asset_id" | "workspace_id">,
  change: { field: "contractor_link" | "contractor_done"; from?: string; to?: string },
  note?: string,
): Promise<void> {
  const at = await momentOf(tx);
  await recordEvent(tx, caller, {
    type: "task_updated",
    assetId: task.asset_id,
    taskId: task.id,
    workspaceId: task.workspace_id,
    occurredAt: at,
    recordedAt: at,
    changes: [change],
    note,
  });
}

const keepDays = 90;

/**
 * Deletes the secrets and addresses of links that ended long ago. The names stay as the authors of
 * what was done through them.
 */
export async function cleanUpTaskLinks(db: Database): Promise<void> {
  await updateInBatches(
    db,
    "task_links",
    "token_hash = NULL, email = NULL",
    `least(revoked_at, expires_at) < app_now() - interval '${keepDays} days'
       AND token_hash IS NOT NULL`,
  );
}

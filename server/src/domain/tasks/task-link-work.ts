import type { Database, Tx } from "../../db/database.js";
import { liveTaskLinkSql } from "../../db/live-task-link.js";
import type { StoredFile } from "../../db/entities/files.js";
import type { TaskLink } from "../../db/entities/tasks.js";
import { lockMembers } from "../../db/locks.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { createOnce } from "../history/idempotency.js";
import { changeInSet } from "../history/change-several.js";
import { noteForMailing } from "../messaging/notify.js";
import { findMemberCaller } from "../people/member-caller.js";
import { hashJson } from "../shared/canonical-json.js";
import { toContractorName } from "../shared/contractor-name.js";
import { idKindOf } from "../shared/ids.js";
import { hashSecret } from "../shared/secrets.js";
import { getTaskId } from "../shared/task-references.js";
import { readSteps, requireAnswers } from "./task-checklists.js";
import { organizationOfSecret } from "./task-link-secrets.js";
import { recordLinkChange } from "./task-links.js";
import { readTaskRecord } from "./task-record.js";
import { isOpenState } from "./task-states.js";
import { updateTask, type TaskUpdate } from "./task-updates.js";

export interface OpenedLink {
  /** The person who shared the task with their current access. Changes name the contractor. */
  caller: Caller;
  link: Pick<
    TaskLink,
    "id" | "task_id" | "contractor" | "done_at" | "sent_back_at" | "sent_back_reason"
  > & { expires_at: Date; opened_at: Date | null };
}

/**
 * Returns a link by its secret. Undefined unless the link still works and the account and
 * membership of the person who shared it are active.
 */
export async function openTaskLink(
  db: Tx,
  baseUrl: string,
  secret: string,
): Promise<OpenedLink | undefined> {
  const organizationId = organizationOfSecret(secret);
  if (organizationId === undefined) return undefined;
  const found = await db.maybe<OpenedLink["link"] & { created_by: string }>(
    `SELECT l.id, l.task_id, l.contractor, l.done_at, l.sent_back_at, l.sent_back_reason,
       l.expires_at, l.opened_at, l.created_by
     FROM task_links l
     WHERE l.organization_id = $1 AND l.token_hash = $2 AND ${liveTaskLinkSql("l")}`,
    [organizationId, hashSecret(secret)],
  );
  if (found === undefined) return undefined;
  const { created_by: userId, ...link } = found;
  const caller = await findMemberCaller(db, baseUrl, { organizationId, userId });
  if (caller === undefined) return undefined;
  const client = { id: link.id, name: toContractorName(link.contractor) };
  return { link, caller: { ...caller, source: "public_scan", client, taskLinkId: link.id } };
}

/** Records that a link was opened, at most once an hour. Skips a locked row. */
export async function noteLinkOpened(
  db: Tx,
  { caller: { organizationId }, link: { id } }: OpenedLink,
): Promise<void> {
  await db.query(
    `UPDATE task_links SET opened_at = app_now()
     WHERE organization_id = $1 AND id IN (SELECT id FROM task_links
       WHERE organization_id = $1 AND id = $2
         AND coalesce(opened_at, '-infinity') < app_now() - interval '1 hour'
       FOR NO KEY UPDATE SKIP LOCKED)`,
    [organizationId, id],
  );
}

export interface LinkWork {
  /** The form as it was sent. One form with other contents is other work. */
  sent: unknown;
  steps: Pick<
    TaskUpdate,
    | ("checklist_done" | "checklist_untick" | "checklist_answers" | "checklist_drawings")
    | "expected_version"
  >;
  note: string | undefined;
  /** True if the contractor says that the work is done. */
  isDone: boolean;
}

/**
 * Stores what a contractor did, once per key. Marking as done doesn't complete the task. It notifies
 * the assignee, or without one the person who shared the task.
 */
export async function workThroughLink(
  tx: Tx,
  { caller, link }: OpenedLink,
  requestKey: string,
  { sent, steps, note, isDone }: LinkWork,
): Promise<object> {
  const key = hashJson([requestKey, sent]).toString("base64url");
  const intended = { tool: "web:job", requestKey: key, arguments: {} };
  return createOnce(tx, caller, intended, async () => {
    if (steps.checklist_answers !== undefined) await lockMembers(tx, caller.organizationId);
    const id = await getTaskId(tx, caller, link.task_id, { lock: true });
    const task = await readTaskRecord(tx, caller, id);
    if (!isOpenState(task.state) || task.hidden) {
      throw new AppError("conflict", "task_link_task_closed");
    }
    const isMarked = isDone && (await markDone(tx, caller, link.id, note));
    const update = { ...steps, ...(note !== undefined && { comment: note }) };
    if (Object.keys(update).some((name) => name !== "expected_version")) {
      // The notification about the finished work has the note.
      const options = { notifies: !isMarked };
      await changeInSet(tx, caller, "task", (inSet) => updateTask(tx, inSet, id, update, options));
    }
    if (isDone) requireAnswers(await readSteps(tx, caller, id));
    if (!isMarked) return {};
    await recordLinkChange(tx, caller, task, { field: "contractor_done", to: link.contractor });
    const userId = task.assigned_to_user_id ?? caller.userId;
    const notes = [{ userId, subject: link.id }];
    await noteForMailing(tx, caller.organizationId, "contractor_done", notes);
    return {};
  });
}

/** Returns false for work that is already marked as done. */
async function markDone(
  tx: Tx,
  { organizationId }: Caller,
  id: string,
  note = "",
): Promise<boolean> {
  const marked = await tx.query(
    `UPDATE task_links SET done_at = app_now(), done_note = $3, sent_back_at = NULL,
       sent_back_reason = NULL
     WHERE organization_id = $1 AND id = $2 AND done_at IS NULL RETURNING 1`,
    [organizationId, id, note],
  );
  return marked.length > 0;
}

/** Photos that were added through a link. Each address works only with its own link. */
export async function findLinkPhotos(
  db: Tx,
  { caller: { organizationId }, link }: OpenedLink,
): Promise<Pick<StoredFile, "id" | "name" | "moment">[]> {
  return db.query(
    `SELECT id, name, moment FROM files WHERE organization_id = $1 AND task_link_id = $2
       AND task_id = $3 AND thumbnail IS NOT NULL ORDER BY created_at, id`,
    [organizationId, link.id, link.task_id],
  );
}

export async function readLinkPhoto(
  db: Tx,
  { caller: { organizationId }, link }: OpenedLink,
  id: string,
): Promise<Buffer | undefined> {
  if (idKindOf(id) !== "file") return undefined;
  const row = await db.maybe<{ thumbnail: Buffer | Uint8Array | null }>(
    `SELECT thumbnail FROM files
     WHERE organization_id = $1 AND id = $2 AND task_link_id = $3 AND task_id = $4`,
    [organizationId, id, link.id, link.task_id],
  );
  return row?.thumbnail == null ? undefined : Buffer.from(row.thumbnail);
}

/** The contractor's own notes, oldest first. */
export async function findLinkNotes(
  db: Database | Tx,
  { caller: { organizationId }, link }: OpenedLink,
): Promise<{ id: string; text: string; created_at: Date }[]> {
  return db.query(
    `SELECT id, text, created_at FROM comments WHERE organization_id = $1 AND task_link_id = $2
       AND text IS NOT NULL ORDER BY created_at, id LIMIT 50`,
    [organizationId, link.id],
  );
}

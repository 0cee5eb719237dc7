import type { Tx } from "../../db/database.js";
import { Comment } from "../../db/entities/comments.js";
import { StoredFile } from "../../db/entities/files.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { findRightsIn, type Action, type WorkspaceRef } from "../access/roles.js";
import { lockSubject, type LockedSubject } from "../files/file-subjects.js";
import { recordEvent, type Change } from "../history/record-events.js";
import { noteForMailing } from "../messaging/notify.js";
import { findPersonChoices } from "../people/person-choices.js";
import { createId } from "../shared/ids.js";
import { explainMissed, findMentionWords, readMentions } from "../shared/mentions.js";
import { cleanText } from "../shared/text.js";
import type { Warning } from "../shared/warnings.js";
import { getComment, subjectOf } from "./find-comments.js";

export const maxComment = 4000;

function cleanComment(text: string): string {
  return cleanText(text, { field: "comment", max: maxComment, multiline: true });
}

/** A repeated call within this time adds nothing. */
const repeatedWithin = "10 minutes";

/**
 * Adds a comment to a locked subject that the caller may change. Notifies the mentioned people who
 * can see the subject, and the assignee of a task. Without `notifies`, the caller notifies them.
 */
export async function addComment(
  tx: Tx,
  caller: Caller,
  subject: LockedSubject,
  given: string,
  { notifies = true } = {},
): Promise<{ id: string; text: string; isRepeated: boolean; warnings: Warning[] }> {
  const { text, mentioned, warnings } = await readText(tx, caller, subject, given);
  const { organizationId: organization_id } = caller;
  const owner = `${subject.kind}_id` as const;
  const author = authorOf(caller);
  const repeated = await tx.maybe<{ id: string }>(
    `SELECT id FROM comments WHERE organization_id = $1 AND ${owner} = $2
       AND created_by IS NOT DISTINCT FROM $3 AND task_link_id IS NOT DISTINCT FROM $4
       AND text = $5 AND client_name IS NOT DISTINCT FROM $6
       AND created_at > app_now() - interval '${repeatedWithin}' LIMIT 1`,
    [
      ...[organization_id, subject.id, author.created_by, author.task_link_id],
      ...[text, author.client_name],
    ],
  );
  if (repeated !== undefined) return { id: repeated.id, text, isRepeated: true, warnings };
  const id = createId("comment");
  await tx.insert(Comment, { organization_id, id, [owner]: subject.id, text, ...author });
  await record(tx, caller, subject, { to: id }, text);
  if (!notifies) return { id, text, isRepeated: false, warnings };
  const assignee = await findAssignee(tx, caller, subject);
  await notify(tx, caller, id, [...mentioned, ...assignee]);
  return { id, text, isRepeated: false, warnings };
}

/** A contractor's comment doesn't count as one of the person who shared the task. */
function authorOf({ userId, taskLinkId, client }: Caller) {
  return taskLinkId === undefined
    ? { created_by: userId, task_link_id: null, client_name: client?.name ?? null }
    : { created_by: null, task_link_id: taskLinkId, client_name: null };
}

/** Changes a person's own comment. The history keeps the former text. */
export async function editComment(
  tx: Tx,
  caller: Caller,
  id: string,
  given: string,
): Promise<LockedSubject & { warnings: Warning[] }> {
  const { subject, comment } = await lockComment(tx, caller, id, "edit comments");
  if (comment.author_id !== caller.userId) throw new AppError("forbidden", "comment_of_other");
  const { text, mentioned, warnings } = await readText(tx, caller, subject, given);
  if (text === comment.text) return { ...subject, warnings };
  const before = new Set(
    (await readText(tx, caller, subject, comment.text ?? "")).mentioned.map((one) => one.id),
  );
  const { organizationId: organization_id } = caller;
  await tx.update(Comment, { organization_id, id }, { text, edited_at: await momentOf(tx) });
  await record(tx, caller, subject, { from: id, to: id }, text);
  const added = mentioned.filter((one) => !before.has(one.id));
  await notify(tx, caller, id, added);
  return { ...subject, warnings };
}

/** Removes a comment with its photos and its text in the history. The author and admins may. */
export async function removeComment(tx: Tx, caller: Caller, id: string): Promise<LockedSubject> {
  const { subject, comment } = await lockComment(tx, caller, id, "remove comments");
  if (!mayRemove(caller, comment, await findRightsIn(tx, caller, placeOf(subject)))) {
    throw new AppError("forbidden", "comment_of_other");
  }
  const { organizationId: organization_id, userId: removed_by } = caller;
  const removed = { text: null, removed_by, removed_at: await momentOf(tx) };
  await tx.update(Comment, { organization_id, id }, removed);
  await tx.delete(StoredFile, { organization_id, comment_id: id });
  // Disables the history's write protection for this statement.
  await tx.query("SET LOCAL fettle.erase = 'on'");
  await tx.query(
    `UPDATE history_events SET note = NULL WHERE organization_id = $1 AND ${subject.kind}_id = $2
       AND type = 'note_added'
       AND changes @> jsonb_build_array(jsonb_build_object('field', 'comment', 'to', $3::text))`,
    [organization_id, subject.id, id],
  );
  await tx.query("SET LOCAL fettle.erase = 'off'");
  await record(tx, caller, subject, { from: id });
  return subject;
}

/** Assumes that the caller may change the subject. */
export function mayRemove(
  { userId }: Caller,
  { author_id }: { author_id: string | null },
  { admin }: { admin: boolean },
): boolean {
  return admin || author_id === userId;
}

function placeOf({ workspaceId }: LockedSubject): WorkspaceRef {
  return workspaceId === null ? null : { id: workspaceId, name: "" };
}

/** Locks the subject, whose lock serializes the changes to its comments. */
async function lockComment(tx: Tx, caller: Caller, id: string, action: Action) {
  const found = await getComment(tx, caller, id);
  const subject = await lockSubject(tx, caller, subjectOf(found), action);
  return { subject, comment: await getComment(tx, caller, id) };
}

async function readText(
  tx: Tx,
  caller: Caller,
  { kind, workspaceId }: LockedSubject,
  given: string,
): Promise<{ text: string; mentioned: { id: string }[]; warnings: Warning[] }> {
  const text = cleanComment(given);
  // Contractors mention no one: a found name would tell them the organization's people.
  const words = caller.taskLinkId === undefined ? findMentionWords(text) : [];
  if (words.length === 0) return { text, mentioned: [], warnings: [] };
  const people = await findPersonChoices(tx, caller, workspaceId ?? undefined, { words });
  const { mentioned, missed, ...read } = readMentions(text, people);
  const visible =
    missed.length === 0 ? [] : await findPersonChoices(tx, caller, undefined, { words });
  const warnings = explainMissed(missed, visible, kind);
  return { text: cleanComment(read.text), mentioned, warnings };
}

async function record(
  tx: Tx,
  caller: Caller,
  { kind, id, assetId, workspaceId }: LockedSubject,
  change: Omit<Change, "field">,
  note?: string,
): Promise<void> {
  const at = await momentOf(tx);
  await recordEvent(tx, caller, {
    type: "note_added",
    assetId,
    ...(kind === "task" && { taskId: id }),
    workspaceId,
    occurredAt: at,
    recordedAt: at,
    changes: [{ field: "comment", ...change }],
    note,
  });
}

/** The assignee of a task. For a contractor's comment, otherwise the person who shared the task. */
async function findAssignee(
  tx: Tx,
  { organizationId, userId, taskLinkId }: Caller,
  { kind, id }: LockedSubject,
): Promise<{ id: string }[]> {
  if (kind === "asset") return [];
  const otherwise = taskLinkId === undefined ? null : userId;
  return tx.query(
    `SELECT person.id FROM maintenance_tasks t
     CROSS JOIN LATERAL (SELECT coalesce(t.assigned_to_user_id, $3) AS id) person
     WHERE t.organization_id = $1 AND t.id = $2 AND person.id IS NOT NULL`,
    [organizationId, id, otherwise],
  );
}

async function notify(
  tx: Tx,
  { organizationId, userId, taskLinkId }: Caller,
  subject: string,
  people: readonly { id: string }[],
): Promise<void> {
  const actorId = taskLinkId === undefined ? userId : null;
  const others = new Set(people.map(({ id }) => id).filter((id) => id !== actorId));
  const notes = [...others].map((userId) => ({ userId, subject, actorId }));
  await noteForMailing(tx, organizationId, "comment", notes);
}

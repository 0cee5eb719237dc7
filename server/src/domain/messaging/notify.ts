import type { Tx } from "../../db/database.js";
import type { NotificationKind } from "../../db/entities/messaging.js";
import type { Actor } from "../access/caller.js";
import type { HistoryEvent } from "../history/history-event.js";
import { choicesJoin, wantsSql } from "./notification-choices.js";

export interface MailNote {
  userId: string;
  subject: string;
  actorId?: string | null;
}

/**
 * Records notifications in the transaction of their change. From then on, the app shows them to
 * people who want that. For emails, preferences and access are checked when the email is written.
 * Skips people who are not members. Each comment notifies a person only once.
 */
export async function noteForMailing(
  tx: Tx,
  organizationId: string,
  kind: NotificationKind,
  notes: readonly MailNote[],
): Promise<void> {
  if (notes.length === 0) return;
  await tx.query(
    `INSERT INTO notifications (organization_id, user_id, kind, subject, actor_user_id, in_app)
     SELECT $1, n.user_id, $2, n.subject, n.actor_id, ${wantsSql(kind)}
     FROM unnest($3::text[], $4::text[], $5::text[]) n (user_id, subject, actor_id)
     JOIN organization_members m
       ON m.organization_id = $1 AND m.user_id = n.user_id AND m.removed_at IS NULL
     ${choicesJoin("'app'")}
     ON CONFLICT ON CONSTRAINT notifications_pkey DO UPDATE
       SET actor_user_id = excluded.actor_user_id, created_at = app_now(), queued_at = NULL,
         in_app = excluded.in_app, read_at = NULL
       WHERE notifications.kind <> 'comment'`,
    [
      organizationId,
      kind,
      notes.map(({ userId }) => userId),
      notes.map(({ subject }) => subject),
      notes.map(({ actorId }) => actorId ?? null),
    ],
  );
}

export async function noteAssignments(
  tx: Tx,
  { organizationId, userId: actorId }: Actor,
  events: readonly HistoryEvent[],
): Promise<void> {
  // Deduplicated by task and person, because one statement can't update a row twice.
  const notes = new Map<string, MailNote>();
  for (const event of events) {
    const userId = findNewAssignee(event);
    if (event.taskId === undefined || userId === undefined || userId === actorId) continue;
    notes.set(`${event.taskId} ${userId}`, { userId, subject: event.taskId, actorId });
  }
  await noteForMailing(tx, organizationId, "assigned", [...notes.values()]);
}

/** Occurrences created by a repetition don't count. Their reminder covers them. */
function findNewAssignee(event: HistoryEvent): string | undefined {
  if (event.bySystem === true) return undefined;
  if (event.type === "task_created") return event.assigneeId ?? undefined;
  const change = event.changes?.find(({ field }) => field === "assigned_to_user_id");
  return typeof change?.to === "string" ? change.to : undefined;
}

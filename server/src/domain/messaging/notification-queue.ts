import type { Database, Tx } from "../../db/database.js";
import {
  OutgoingMail,
  type NotificationChannel,
  type NotificationKind,
} from "../../db/entities/messaging.js";
import { deleteInBatches } from "../history/batches.js";
import { commit } from "../history/transactions.js";
import type { MailCipher, MailedNotification } from "./mail-cipher.js";
import { forEachInOwnTransaction } from "../../db/for-each-in-own-transaction.js";
import { choicesJoin, wantsSql } from "./notification-choices.js";

/** Assignments or comments within this time are combined in one email. */
const foldedFor: Partial<Record<NotificationKind, string>> = {
  assigned: "3 minutes",
  comment: "3 minutes",
};

const staleAfter = "1 day";

/** How long an email or push message waits for its server, in hours. Morning emails are about that day. */
const validHours: Record<NotificationKind, number> = {
  assigned: 24,
  comment: 24,
  reminder: 12,
  report_answered: 72,
  contractor_done: 72,
  weekly_digest: 24,
};

interface Waiting {
  organization_id: string;
  user_id: string;
  kind: NotificationKind;
}

/**
 * Queues emails for pending notifications, one per person and kind. If nodes run at once, the node
 * that marks the notifications first queues the email. Returns the number of emails.
 */
export async function queueNotedMails(db: Database, mails: MailCipher): Promise<number> {
  const folded = Object.entries(foldedFor).map(
    ([kind, time]) => `WHEN '${kind}' THEN interval '${time}'`,
  );
  const waiting = await db.query<Waiting>(`SELECT organization_id, user_id, kind FROM notifications
     WHERE queued_at IS NULL AND created_at > app_now() - interval '${staleAfter}'
     GROUP BY organization_id, user_id, kind
     HAVING min(created_at) <= app_now() - CASE kind ${folded.join(" ")} ELSE interval '0' END
     ORDER BY min(created_at) LIMIT 1000`);
  let written = 0;
  await forEachInOwnTransaction(
    waiting,
    async ({ organization_id: organizationId, user_id: userId, kind }) => {
      const person = { organizationId, userId };
      const isWritten = await commit({ db, caller: null }, async (tx) => {
        const rows = await tx.query<{ subject: string }>(
          `UPDATE notifications SET queued_at = app_now()
         WHERE organization_id = $1 AND user_id = $2 AND kind = $3 AND queued_at IS NULL
         RETURNING subject`,
          [organizationId, userId, kind],
        );
        const subjects = rows.map(({ subject }) => subject).toSorted();
        if (subjects.length === 0) return false;
        await queuePush(tx, mails, { ...person, kind, subjects });
        return queueMail(tx, mails, { ...person, kind, subjects });
      });
      if (isWritten) written += 1;
    },
  );
  return written;
}

/** Notifies a person of a day once per kind, through the given channels. Returns true for an email. */
export async function queueMailOfDay(
  tx: Tx,
  mails: MailCipher,
  mail: Omit<MailedNotification, "subjects"> & { day: string; channels: NotificationChannel[] },
): Promise<boolean> {
  const { organizationId, userId, kind, day, channels } = mail;
  const first = await tx.query(
    `INSERT INTO notifications (organization_id, user_id, kind, subject, queued_at, in_app)
     VALUES ($1, $2, $3, $4, app_now(), $5)
     ON CONFLICT ON CONSTRAINT notifications_pkey DO NOTHING RETURNING 1`,
    [organizationId, userId, kind, day, channels.includes("app")],
  );
  if (first.length === 0) return false;
  const told = { organizationId, userId, kind, subjects: [day] };
  if (channels.includes("push")) await queuePush(tx, mails, told);
  return channels.includes("email") && queueMail(tx, mails, told);
}

/**
 * Stores only the subjects, because the text depends on the reader's access when it is sent. Sample
 * people (`.example` addresses, RFC 2606) get no email. Without a mail server, no one does.
 */
async function queueMail(tx: Tx, mails: MailCipher, mail: MailedNotification): Promise<boolean> {
  if (!mails.delivers) return false;
  const { organizationId, userId, kind } = mail;
  const reader = await tx.maybe<{ email: string }>(
    `SELECT u.email::text AS email FROM organization_members m
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL ${choicesJoin("'email'")}
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL AND ${wantsSql(kind)}
       AND u.email NOT LIKE '%.example'`,
    [organizationId, userId],
  );
  if (reader === undefined) return false;
  await tx.insert(OutgoingMail, {
    kind,
    organization_id: organizationId,
    recipient: reader.email,
    body_encrypted: mails.encrypt(mail),
    status: "queued",
    next_attempt_at: () => "app_now()",
    expires_at: () => `app_now() + interval '${validHours[kind]} hours'`,
  });
  return true;
}

/** One message for each of the person's browsers that shows notifications. */
async function queuePush(tx: Tx, mails: MailCipher, told: MailedNotification): Promise<void> {
  const { organizationId, userId, kind } = told;
  await tx.query(
    `INSERT INTO push_messages (organization_id, endpoint_hash, body_encrypted, expires_at)
     SELECT $1, s.endpoint_hash, $3, app_now() + interval '${validHours[kind]} hours'
     FROM organization_members m
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
     JOIN push_subscriptions s ON s.user_id = m.user_id ${choicesJoin("'push'")}
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL AND ${wantsSql(kind)}`,
    [organizationId, userId, mails.encrypt(told)],
  );
}

export async function cleanUpNotifications(db: Database): Promise<void> {
  await deleteInBatches(db, "push_messages", "expires_at < app_now()");
  await deleteInBatches(db, "notifications", "created_at < app_now() - interval '30 days'");
}

import type { Tx } from "../../db/database.js";
import type { OutgoingMail } from "../../db/entities/messaging.js";
import { inviteStatusSql } from "../people/invite-status.js";
import { claimedFor } from "./mail-deliveries.js";

export interface MailLine extends Pick<
  OutgoingMail,
  | "organization_id"
  | "kind"
  | "recipient"
  | "status"
  | "attempts"
  | "last_error"
  | "created_at"
  | "next_attempt_at"
  | "expires_at"
> {
  mail_id: string;
}

/** Unsent emails whose link or invitation is still valid. */
const waiting = `FROM mail_outbox m
  LEFT JOIN invites i ON i.organization_id = m.organization_id AND i.id = m.invite_id
  WHERE m.status <> 'sent' AND (m.expires_at IS NULL OR m.expires_at > app_now())
    AND (m.invite_id IS NULL OR ${inviteStatusSql("i")} = 'pending')`;

/** Lists all queued, failed and stored emails without their content, oldest first. */
export async function listWaitingMails(db: Tx): Promise<MailLine[]> {
  return db.query(
    `SELECT m.id AS mail_id, m.organization_id, m.kind, m.recipient::text AS recipient, m.status,
       m.attempts, m.last_error, m.created_at, m.next_attempt_at, m.expires_at
     ${waiting} ORDER BY m.id`,
  );
}

/**
 * A node may be sending it now. If the next attempt is later than a claim lasts, the email was
 * postponed.
 */
const comesByItself = `m.status = 'queued' AND m.next_attempt_at <= app_now() + interval '${claimedFor}'`;

/** Queues emails for immediate sending, with a fresh attempt count. Takes one email or all. */
export async function retryMails(tx: Tx, mailId?: string): Promise<string[]> {
  // Locks the invitation before its email, in the order of all code.
  const chosen = `AND ($1::bigint IS NULL OR m.id = $1) AND NOT (${comesByItself})`;
  const parameters = [mailId ?? null];
  await tx.query(
    `UPDATE invites SET delivery_status = 'queued' WHERE (organization_id, id) IN (
       SELECT m.organization_id, m.invite_id ${waiting} ${chosen})`,
    parameters,
  );
  const rows = await tx.query<{ id: string }>(
    `UPDATE mail_outbox SET status = 'queued', attempts = 0, next_attempt_at = app_now(),
       last_error = NULL
     WHERE id IN (SELECT m.id ${waiting} ${chosen} FOR UPDATE OF m SKIP LOCKED) RETURNING id`,
    parameters,
  );
  return rows.map(({ id }) => id);
}

import type { DataSource, EntityManager } from "typeorm";
import { inviteStatusSql } from "../sql/invite-status.js";
import type { InvitationLetter, MailCipher, Notice } from "./mail-cipher.js";

export interface InvitationMail {
  organizationId: string;
  inviteId: string;
  recipient: string;
  letter: InvitationLetter;
}

/** Puts the mail of an invitation into the outbox, in the transaction that makes its link. */
export async function queueInvitation(
  tx: EntityManager,
  mails: MailCipher,
  { organizationId, inviteId, recipient, letter }: InvitationMail,
): Promise<void> {
  await tx.query(
    `INSERT INTO mail_outbox (kind, organization_id, invite_id, recipient, body_encrypted, status,
       next_attempt_at)
     VALUES ('invitation', $1, $2, $3, $4, $5, fettle_now())`,
    [
      organizationId,
      inviteId,
      recipient,
      mails.encrypt(letter),
      mails.delivers ? "queued" : "kept",
    ],
  );
}

export interface PersonalMail {
  recipient: string;
  notice: Notice;
  /** How long its link works; it is not sent later than that. */
  validMinutes?: number;
}

/** The same for a mail to one person about their own account. Without a mail server there is none. */
export async function queueNotice(
  tx: EntityManager,
  mails: MailCipher,
  { recipient, notice, validMinutes }: PersonalMail,
): Promise<void> {
  if (!mails.delivers) return;
  await tx.query(
    `INSERT INTO mail_outbox (kind, recipient, body_encrypted, status, next_attempt_at, expires_at)
     VALUES ($1, $2, $3, 'queued', fettle_now(), fettle_now() + $4::float8 * interval '1 minute')`,
    [notice.kind, recipient, mails.encrypt(notice), validMinutes ?? null],
  );
}

const maxNoticesAnHour = 3;

/**
 * Whether an address may get one more mail of these kinds, which anybody can ask for. Who asks for
 * the same address at the same time waits.
 */
export async function mayQueueNotice(
  tx: EntityManager,
  recipient: string,
  kinds: readonly Notice["kind"][],
): Promise<boolean> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('notices to ' || lower($1), 0))", [
    recipient,
  ]);
  const rows: { sent: number }[] = await tx.query(
    `SELECT count(*)::int AS sent FROM mail_outbox
     WHERE recipient = $1::citext AND invite_id IS NULL AND kind = ANY ($2::text[])
       AND created_at > fettle_now() - interval '1 hour'`,
    [recipient, kinds],
  );
  return (rows[0]?.sent ?? 0) < maxNoticesAnHour;
}

/** Lets what was not sent to an address of one kind be: its links lead nowhere from now on. */
export async function expireNotices(
  tx: EntityManager,
  recipient: string,
  kind: Notice["kind"],
): Promise<void> {
  await tx.query(
    `UPDATE mail_outbox SET expires_at = fettle_now()
     WHERE recipient = $1::citext AND invite_id IS NULL AND kind = $2 AND status <> 'sent'
       AND expires_at > fettle_now()`,
    [recipient, kind],
  );
}

/** Takes what was not sent for an invitation out of the outbox: its links lead nowhere. */
export async function discardMails(
  tx: EntityManager,
  organizationId: string,
  inviteId: string,
): Promise<void> {
  await tx.query(
    `DELETE FROM mail_outbox WHERE organization_id = $1 AND invite_id = $2 AND status <> 'sent'`,
    [organizationId, inviteId],
  );
}

/** Removes mails whose invitation or link is no longer open, what could not be sent, and the record of what was sent long ago. */
export async function cleanUpMails(db: DataSource): Promise<void> {
  await db.query(
    `DELETE FROM mail_outbox m USING invites i
     WHERE m.status <> 'sent' AND i.organization_id = m.organization_id AND i.id = m.invite_id
       AND ${inviteStatusSql("i")} <> 'pending'`,
  );
  // For the first hour they count for the limit.
  await db.query(
    `DELETE FROM mail_outbox WHERE invite_id IS NULL AND status <> 'sent'
       AND (expires_at <= fettle_now() AND created_at <= fettle_now() - interval '1 hour'
         OR status = 'failed' AND created_at <= fettle_now() - interval '7 days')`,
  );
  await db.query("DELETE FROM mail_outbox WHERE sent_at < fettle_now() - interval '90 days'");
}

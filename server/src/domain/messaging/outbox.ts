import { IsNull, Not, Raw, type Database, type Tx } from "../../db/database.js";
import { OutgoingMail } from "../../db/entities/messaging.js";
import { deleteInBatches } from "../history/batches.js";
import { currentLocale, defaultLocale, type Locale } from "../../language/locale.js";
import { inviteStatusSql } from "../people/invite-status.js";
import { defaultRetention, type Retention } from "../shared/retention.js";
import type { InvitationLetter, MailCipher, Notice } from "./mail-cipher.js";

export interface NoticeServices {
  mails: MailCipher;
  /** Public URL without a trailing slash. */
  baseUrl: string;
}

export interface InvitationMail {
  organizationId: string;
  inviteId: string;
  recipient: string;
  letter: InvitationLetter;
}

/** The current locale, unless it is the default. */
function ofCause(): { locale?: Locale } {
  const locale = currentLocale();
  return locale === defaultLocale ? {} : { locale };
}

/** Queues an invitation email, in the transaction that creates its link. */
export async function queueInvitation(
  tx: Tx,
  mails: MailCipher,
  { organizationId, inviteId, recipient, letter }: InvitationMail,
): Promise<void> {
  await tx.insert(OutgoingMail, {
    kind: "invitation",
    organization_id: organizationId,
    invite_id: inviteId,
    recipient,
    body_encrypted: mails.encrypt({ ...letter, ...ofCause() }),
    status: mails.delivers ? "queued" : "kept",
    next_attempt_at: () => "app_now()",
  });
}

export interface PersonalMail {
  recipient: string;
  notice: Notice;
  /** Set if members can trigger it at will. Emails without an organization go first. */
  organizationId?: string;
  /** Lifetime of its link. The email isn't sent later. */
  validMinutes?: number;
}

/** Queues an email to one person about their own account. Does nothing without a mail server. */
export async function queueNotice(
  tx: Tx,
  mails: MailCipher,
  { recipient, notice, organizationId, validMinutes }: PersonalMail,
): Promise<void> {
  if (!mails.delivers) return;
  await tx.insert(OutgoingMail, {
    kind: notice.kind,
    organization_id: organizationId ?? null,
    recipient,
    body_encrypted: mails.encrypt({ ...notice, ...ofCause() }),
    status: "queued",
    next_attempt_at: () => "app_now()",
    expires_at:
      validMinutes === undefined ? null : () => `app_now() + interval '${validMinutes} minutes'`,
  });
}

const maxNoticesAnHour = 3;

/**
 * Returns true if the address may get one more email of these kinds. Limits emails that anyone can
 * request to three an hour. Concurrent requests for one address wait for each other.
 */
export async function mayQueueNotice(
  tx: Tx,
  recipient: string,
  kinds: readonly Notice["kind"][],
  maxAnHour = maxNoticesAnHour,
): Promise<boolean> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('notices to ' || lower($1), 0))", [
    recipient,
  ]);
  const row = await tx.maybe<{ sent: number }>(
    `SELECT count(*)::int AS sent FROM mail_outbox
     WHERE recipient = $1::citext AND invite_id IS NULL AND kind = ANY ($2::text[])
       AND created_at > app_now() - interval '1 hour'`,
    [recipient, kinds],
  );
  return (row?.sent ?? 0) < maxAnHour;
}

/** Expires unsent emails of one kind to an address, because their links no longer work. */
export async function expireNotices(
  tx: Tx,
  recipient: string,
  kind: Notice["kind"],
): Promise<void> {
  await tx.update(
    OutgoingMail,
    {
      recipient,
      kind,
      invite_id: IsNull(),
      status: Not("sent"),
      expires_at: Raw((column) => `${column} > app_now()`),
    },
    { expires_at: () => "app_now()" },
  );
}

/** Deletes unsent emails of an invitation, because their links no longer work. */
export async function discardMails(
  tx: Tx,
  organizationId: string,
  inviteId: string,
): Promise<void> {
  await tx.delete(OutgoingMail, {
    organization_id: organizationId,
    invite_id: inviteId,
    status: Not("sent"),
  });
}

/** Returns the number of queued emails and the age of the oldest. */
export async function measureOutbox(db: Tx): Promise<{ waiting: number; oldest_seconds: number }> {
  return db.one<{
    waiting: number;
    oldest_seconds: number;
  }>(`SELECT count(*)::int AS waiting,
       coalesce(extract(epoch FROM app_now() - min(created_at)), 0)::float AS oldest_seconds
     FROM mail_outbox
     WHERE status = 'queued' AND (expires_at IS NULL OR expires_at > app_now())`);
}

/**
 * Emails that strangers can trigger for any address. They are deleted when their link expires, even
 * if sent.
 */
const ofStrangers = "kind IN ('sign_up', 'account_exists', 'email_change')";

/**
 * Deletes emails of closed invitations and expired links, failed emails, and old records of sent
 * emails.
 */
export async function cleanUpMails(
  db: Database,
  { mails }: Retention = defaultRetention,
): Promise<void> {
  await deleteInBatches(
    db,
    "mail_outbox",
    `status <> 'sent' AND EXISTS (SELECT 1 FROM invites i
       WHERE i.organization_id = mail_outbox.organization_id AND i.id = mail_outbox.invite_id
         AND ${inviteStatusSql("i")} <> 'pending')`,
  );
  // Kept for the first hour, because they count for the rate limit.
  await deleteInBatches(
    db,
    "mail_outbox",
    `invite_id IS NULL AND (status <> 'sent' OR ${ofStrangers})
     AND (expires_at <= app_now() AND created_at <= app_now() - interval '1 hour'
       OR status = 'failed' AND created_at <= app_now() - interval '7 days')`,
  );
  const isOld = "sent_at < app_now() - make_interval(days => $1)";
  await deleteInBatches(db, "mail_outbox", isOld, [mails]);
}

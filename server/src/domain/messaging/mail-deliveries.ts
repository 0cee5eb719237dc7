import type { Database } from "../../db/database.js";
import { Invite } from "../../db/entities/people.js";
import { OutgoingMail } from "../../db/entities/messaging.js";
import { inviteStatusSql } from "../people/invite-status.js";
import { commit } from "../history/transactions.js";

export interface ClaimedMail extends Pick<
  OutgoingMail,
  "id" | "kind" | "organization_id" | "invite_id" | "recipient" | "attempts"
> {
  body_encrypted: Buffer;
  /** Locale of the account with this address. */
  locale: string | null;
}

/** Longer than any attempt to send. If a node dies, another node retries after this time. */
export const claimedFor = "10 minutes";

/**
 * Claims the next due email for this node. Emails without an organization, such as password resets,
 * come first. Skips `served` organizations, expired links and invitations that are no longer
 * pending. Cleanup removes those.
 */
export async function claimMail(
  db: Database,
  served: readonly string[] = [],
): Promise<ClaimedMail | undefined> {
  return db.maybe<ClaimedMail>(
    `UPDATE mail_outbox SET attempts = attempts + 1,
       next_attempt_at = app_now() + interval '${claimedFor}'
     WHERE id = (
       SELECT m.id FROM mail_outbox m
       LEFT JOIN invites i ON i.organization_id = m.organization_id AND i.id = m.invite_id
       WHERE m.status = 'queued' AND m.next_attempt_at <= app_now()
         AND (m.expires_at IS NULL OR m.expires_at > app_now())
         AND (m.invite_id IS NULL OR ${inviteStatusSql("i")} = 'pending')
         AND (m.organization_id IS NULL OR m.organization_id <> ALL ($1))
       ORDER BY m.organization_id IS NOT NULL, m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
     RETURNING id, kind, organization_id, invite_id, recipient, body_encrypted, attempts,
       (SELECT u.locale FROM users u WHERE u.email = recipient) AS locale`,
    [served],
  );
}

/** Records that the email was sent and deletes its content. */
export async function recordSent(db: Database, mail: ClaimedMail): Promise<void> {
  const sent_at = () => "app_now()";
  await conclude(db, mail, { status: "sent", sent_at, body_encrypted: null, last_error: null });
}

/**
 * Schedules a retry. The reason must contain no address, no link and no text from the mail server.
 */
export async function postponeMail(
  db: Database,
  mail: ClaimedMail,
  { reason, delayMs }: { reason: string; delayMs: number },
): Promise<void> {
  await db.update(OutgoingMail, claimOf(mail), {
    last_error: reason,
    next_attempt_at: () => `app_now() + interval '${delayMs} milliseconds'`,
  });
}

/** Marks an email as failed. The rules for `reason` in `postponeMail` apply. */
export async function recordFailure(
  db: Database,
  mail: ClaimedMail,
  reason: string,
): Promise<void> {
  await conclude(db, mail, { status: "failed", last_error: reason });
}

export async function withdrawMail(db: Database, mail: ClaimedMail): Promise<void> {
  await db.delete(OutgoingMail, claimOf(mail));
}

interface Conclusion {
  status: "sent" | "failed";
  last_error: string | null;
  sent_at?: () => string;
  body_encrypted?: null;
}

/**
 * Locks the invitation before its email, in the order of all code. If the email has left the outbox
 * meanwhile, the invitation is unchanged.
 */
async function conclude(db: Database, mail: ClaimedMail, changes: Conclusion): Promise<void> {
  await commit({ db, caller: null }, async (tx) => {
    const { organization_id, invite_id } = mail;
    await tx.query(
      "SELECT 1 FROM invites WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE",
      [organization_id, invite_id],
    );
    const affected = await tx.update(OutgoingMail, claimOf(mail), changes);
    if (affected === 0 || organization_id === null || invite_id === null) return;
    await tx.update(
      Invite,
      { organization_id, id: invite_id },
      { delivery_status: changes.status },
    );
  });
}

/** Matches the email unless another node has claimed it. */
function claimOf({ id, attempts }: ClaimedMail) {
  return { id, attempts, status: "queued" } as const;
}

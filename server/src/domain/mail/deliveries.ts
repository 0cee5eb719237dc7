import type { DataSource } from "typeorm";
import type { OutgoingMail } from "../../db/entities/outgoing-mail.js";
import { inviteStatusSql } from "../sql/invite-status.js";
import { commit } from "../sql/transactions.js";

/** A mail that this node shall send now. */
export interface ClaimedMail extends Pick<
  OutgoingMail,
  "id" | "kind" | "organization_id" | "invite_id" | "recipient" | "attempts"
> {
  body_encrypted: Buffer;
}

/** Longer than a sender ever tries: when a node dies meanwhile, another one takes over after this. */
const claimedFor = "10 minutes";

/**
 * Takes the mail that is due first; no other node gets it meanwhile. What belongs to an invitation
 * that was withdrawn, accepted or has expired is left to the housekeeping, as are dead links.
 */
export async function claimMail(db: DataSource): Promise<ClaimedMail | undefined> {
  const [rows]: [ClaimedMail[], number] = await db.query(
    `UPDATE mail_outbox SET attempts = attempts + 1,
       next_attempt_at = fettle_now() + interval '${claimedFor}'
     WHERE id = (
       SELECT m.id FROM mail_outbox m
       LEFT JOIN invites i ON i.organization_id = m.organization_id AND i.id = m.invite_id
       WHERE m.status = 'queued' AND m.next_attempt_at <= fettle_now()
         AND (m.expires_at IS NULL OR m.expires_at > fettle_now())
         AND (m.invite_id IS NULL OR ${inviteStatusSql("i")} = 'pending')
       ORDER BY m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
     RETURNING id, kind, organization_id, invite_id, recipient, body_encrypted, attempts`,
  );
  return rows[0];
}

/** Keeps that a mail was sent, not what stood in it. */
export async function recordSent(db: DataSource, mail: ClaimedMail): Promise<void> {
  await conclude(
    db,
    mail,
    "sent",
    `status = 'sent', sent_at = fettle_now(), body_encrypted = NULL, last_error = NULL`,
  );
}

/** Tries again later. The reason must hold no address, no link and nothing the mail server said. */
export async function postponeMail(
  db: DataSource,
  mail: ClaimedMail,
  { reason, delayMs }: { reason: string; delayMs: number },
): Promise<void> {
  await db.query(
    `UPDATE mail_outbox SET last_error = $2,
       next_attempt_at = fettle_now() + $3::float8 * interval '1 millisecond'
     WHERE id = $1 AND status = 'queued' AND attempts = $4`,
    [mail.id, reason, delayMs, mail.attempts],
  );
}

/** Gives a mail up; `reason` as for `postponeMail`. */
export async function recordFailure(
  db: DataSource,
  mail: ClaimedMail,
  reason: string,
): Promise<void> {
  await conclude(db, mail, "failed", "status = 'failed', last_error = $3", [reason]);
}

/**
 * The invitation is locked before its mail, as by everybody else. A mail that left the outbox while
 * it was being sent says nothing about its invitation any more.
 */
async function conclude(
  db: DataSource,
  mail: ClaimedMail,
  status: "sent" | "failed",
  changes: string,
  values: unknown[] = [],
): Promise<void> {
  await commit(db, async (tx) => {
    const invite = [mail.organization_id, mail.invite_id];
    await tx.query(
      "SELECT 1 FROM invites WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE",
      invite,
    );
    const [, changed]: [unknown, number] = await tx.query(
      `UPDATE mail_outbox SET ${changes} WHERE id = $1 AND status = 'queued' AND attempts = $2`,
      [mail.id, mail.attempts, ...values],
    );
    if (changed === 0) return;
    await tx.query(
      "UPDATE invites SET delivery_status = $3 WHERE organization_id = $1 AND id = $2",
      [...invite, status],
    );
  });
}

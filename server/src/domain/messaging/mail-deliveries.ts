import type { Database } from "../../db/database.js";
import { Invite } from "../../db/entities/people.js";
import { OutgoingMail } from "../../db/entities/messaging.js";
import { inviteStatusSql } from "../people/invite-status.js";
import { commit } from "../history/transactions.js";

/** A mail that this node shall send now. */
export interface ClaimedMail extends Pick<
  OutgoingMail,
  "id" | "kind" | "organization_id" | "invite_id" | "recipient" | "attempts"
> {
  body_encrypted: Buffer;
  /** Of who has an account with this address. */
  locale: string | null;
}

/** Longer than a sender ever tries: when a node dies meanwhile, another one takes over after this. */
export const claimedFor = "10 minutes";

/**
 * Takes the mail that is due first; no other node gets it meanwhile. Those of no organization, such as
 * links for a forgotten password, come before others, and those of `served` organizations not at all.
 * What belongs to an invitation
 * that was withdrawn, accepted or has expired is left to the housekeeping, as are dead links.
 */
export async function claimMail(
  db: Database,
  served: readonly string[] = [],
): Promise<ClaimedMail | undefined> {
  return db.maybe<ClaimedMail>(
    `UPDATE mail_outbox SET attempts = attempts + 1,
       next_attempt_at = fettle_now() + interval '${claimedFor}'
     WHERE id = (
       SELECT m.id FROM mail_outbox m
       LEFT JOIN invites i ON i.organization_id = m.organization_id AND i.id = m.invite_id
       WHERE m.status = 'queued' AND m.next_attempt_at <= fettle_now()
         AND (m.expires_at IS NULL OR m.expires_at > fettle_now())
         AND (m.invite_id IS NULL OR ${inviteStatusSql("i")} = 'pending')
         AND (m.organization_id IS NULL OR m.organization_id <> ALL ($1))
       ORDER BY m.organization_id IS NOT NULL, m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
     RETURNING id, kind, organization_id, invite_id, recipient, body_encrypted, attempts,
       (SELECT u.locale FROM users u WHERE u.email = recipient) AS locale`,
    [served],
  );
}

/** Keeps that a mail was sent, not what stood in it. */
export async function recordSent(db: Database, mail: ClaimedMail): Promise<void> {
  const sent_at = () => "fettle_now()";
  await conclude(db, mail, { status: "sent", sent_at, body_encrypted: null, last_error: null });
}

/** Tries again later. The reason must hold no address, no link and nothing the mail server said. */
export async function postponeMail(
  db: Database,
  mail: ClaimedMail,
  { reason, delayMs }: { reason: string; delayMs: number },
): Promise<void> {
  await db.update(OutgoingMail, claimOf(mail), {
    last_error: reason,
    next_attempt_at: () => `fettle_now() + interval '${delayMs} milliseconds'`,
  });
}

/** Gives a mail up; `reason` as for `postponeMail`. */
export async function recordFailure(
  db: Database,
  mail: ClaimedMail,
  reason: string,
): Promise<void> {
  await conclude(db, mail, { status: "failed", last_error: reason });
}

/** Takes a mail back of which nothing is left to tell. */
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
 * The invitation is locked before its mail, as by everybody else. A mail that left the outbox while
 * it was being sent says nothing about its invitation any more.
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

/** The mail as long as nobody else has claimed it. */
function claimOf({ id, attempts }: ClaimedMail) {
  return { id, attempts, status: "queued" } as const;
}

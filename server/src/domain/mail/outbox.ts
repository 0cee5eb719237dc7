import type { DataSource, EntityManager } from "typeorm";
import { inviteStatus } from "../invites/invite-status.js";
import type { InvitationLetter, MailKeeper } from "./mail-keeper.js";

export interface InvitationMail {
  organizationId: string;
  inviteId: string;
  recipient: string;
  letter: InvitationLetter;
}

/** Puts the mail of an invitation into the outbox, in the transaction that makes its link. */
export async function queueInvitation(
  tx: EntityManager,
  mails: MailKeeper,
  { organizationId, inviteId, recipient, letter }: InvitationMail,
): Promise<void> {
  await tx.query(
    `INSERT INTO mail_outbox (kind, organization_id, invite_id, recipient, body_sealed, status,
       next_attempt_at, created_at)
     SELECT 'invitation', $1, $2, $3, $4::bytea, $5, at, at FROM (SELECT fettle_now() AS at) moment`,
    [organizationId, inviteId, recipient, mails.seal(letter), mails.delivers ? "queued" : "kept"],
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

/** Removes mails whose invitation is no longer open, and the record of what was sent long ago. */
export async function cleanUpMails(db: DataSource): Promise<void> {
  await db.query(
    `DELETE FROM mail_outbox m USING invites i
     WHERE m.status <> 'sent' AND i.organization_id = m.organization_id AND i.id = m.invite_id
       AND ${inviteStatus("i")} <> 'pending'`,
  );
  await db.query("DELETE FROM mail_outbox WHERE sent_at < fettle_now() - interval '90 days'");
}

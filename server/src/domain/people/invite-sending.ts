import type { Tx } from "../../db/database.js";
import type { Invite } from "../../db/entities/people.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import type { Actor, Caller } from "../access/caller.js";
import { toTimestamp } from "../shared/dates.js";
import { refuseTooManyMails } from "./invite-limits.js";
import type { InviteDraft } from "./invite-store.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { queueInvitation } from "../messaging/outbox.js";
import type { Warning } from "../shared/warnings.js";

export interface SentInvite {
  invite: Pick<
    Invite,
    "id" | "email" | "workspace_id" | "workspace_name" | "workspace_role" | "organization_role"
  > & { status: "pending"; expires_at: string };
  /** Emails are sent after the transaction. */
  delivery_status: "queued";
  warnings: Warning[];
}

export interface Sending {
  token: string;
  expiresAt: Date;
  mails: MailCipher;
  type: "invite_sent" | "invite_resent";
}

export async function sendInvite(
  tx: Tx,
  caller: Caller,
  invite: InviteDraft,
  { token, expiresAt, mails, type }: Sending,
): Promise<SentInvite> {
  const { id, email, organization_role, workspace_id, workspace_name, workspace_role } = invite;
  await refuseTooManyMails(tx, caller, invite, type === "invite_sent" ? "email" : "invite_id");
  await queueInvitation(tx, mails, {
    organizationId: caller.organizationId,
    inviteId: id,
    recipient: email,
    letter: {
      link: `${caller.baseUrl}/invites/${token}`,
      organization: caller.organizationName,
      ...(workspace_name !== null && { workspace: workspace_name }),
      inviter: invite.inviter,
      ...(invite.message !== null && { message: invite.message }),
      expiresAt: expiresAt.toISOString(),
      timeZone: caller.timeZone,
    },
  });
  await recordInviteActivity(tx, caller, invite, type);
  return {
    invite: {
      id,
      email,
      status: "pending",
      expires_at: toTimestamp(expiresAt),
      workspace_id,
      workspace_name,
      workspace_role,
      organization_role,
    },
    delivery_status: "queued",
    warnings: mails.delivers ? [] : [{ key: "invite_kept", email }],
  };
}

export async function recordInviteActivity(
  tx: Tx,
  actor: Actor,
  {
    id,
    email,
    workspace_id,
    organization_role,
  }: Pick<InviteDraft, "id" | "email" | "workspace_id" | "organization_role">,
  type: Sending["type"] | "invite_withdrawn",
): Promise<void> {
  await recordCallerActivity(tx, actor, type, {
    invite_id: id,
    email,
    organization_role,
    ...(workspace_id !== null && { workspace_id }),
  });
}

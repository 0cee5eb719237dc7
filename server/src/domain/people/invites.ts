import type { Tx } from "../../db/database.js";
import { Invite, type InviteOrganizationRole } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { cleanEmail } from "../shared/emails.js";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import { checkAccessEnd } from "../organizations/access-end-day.js";
import { createId } from "../shared/ids.js";
import { refuseMember } from "./invite-members.js";
import { lockInvite, type InviteRecord } from "./invite-references.js";
import { checkResends } from "./invite-limits.js";
import { requireMayInvite } from "./invite-roles.js";
import { recordInviteActivity, sendInvite, type SentInvite } from "./invite-sending.js";
import { insertInvite, replaceExpired, validFor, type InviteDraft } from "./invite-store.js";
import { withoutLinks } from "../shared/links.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { discardMails } from "../messaging/outbox.js";
import { rejectNonePlaceholder } from "../shared/none-placeholder.js";
import { workspaceRefOf } from "../access/roles.js";
import { createSecret, hashSecret } from "../shared/secrets.js";
import { cleanText } from "../shared/text.js";
import { getWorkspace } from "../shared/workspace-references.js";

export interface NewInvite {
  email: string;
  workspace_id?: string | undefined;
  /** Must be "member" without a workspace, where it has no effect. */
  workspace_role: WorkspaceRole;
  organization_role: InviteOrganizationRole;
  /** The last day of the resulting membership. */
  access_ends_on?: string | undefined;
  message?: string | undefined;
}

const maxMessage = 500;

/** Invites an address to a workspace or only to the organization, and queues the email. */
export async function createInvite(
  tx: Tx,
  caller: Caller,
  given: NewInvite,
  mails: MailCipher,
): Promise<SentInvite> {
  const draft = await checkInvite(tx, caller, given);
  await replaceExpired(tx, caller, draft.email, workspaceRefOf(draft));
  const token = createSecret();
  const expiresAt = await insertInvite(tx, caller, draft, token);
  return sendInvite(tx, caller, draft, { token, expiresAt, mails, type: "invite_sent" });
}

/** Validates an invitation, except for rules about other invitations to the address. */
export async function checkInvite(tx: Tx, caller: Caller, given: NewInvite): Promise<InviteDraft> {
  const email = cleanEmail(given.email);
  const message = cleanMessage(given.message);
  rejectNonePlaceholder({ workspace_id: given.workspace_id }, "leave out");
  const { workspace_id: workspace, organization_role: organizationRole } = given;
  const accessEndsOn = checkAccessEnd(caller, given.access_ends_on);
  if (workspace === undefined) refuseRoleWithout(given.workspace_role);
  const place = workspace === undefined ? null : await getWorkspace(tx, caller, workspace);
  await requireMayInvite(tx, caller, place, organizationRole);
  await refuseMember(tx, caller, { email, place, organizationRole });
  return {
    id: createId("invite"),
    email,
    organization_role: organizationRole,
    workspace_id: place?.id ?? null,
    workspace_name: place?.name ?? null,
    workspace_role: place === null ? null : given.workspace_role,
    access_ends_on: accessEndsOn,
    message,
    inviter: caller.userName,
  };
}

/** Resends a pending or expired invitation with a new link. The old link stops working. */
export async function resendInvite(
  tx: Tx,
  caller: Caller,
  reference: string,
  mails: MailCipher,
): Promise<SentInvite> {
  const invite = await lockInvite(tx, caller, reference);
  const place = workspaceRefOf(invite);
  await requireMayInvite(tx, caller, place, invite.organization_role);
  refuseEnded(invite);
  await refuseMember(tx, caller, {
    email: invite.email,
    place,
    organizationRole: invite.organization_role,
  });
  const at = nowOf(caller);
  const token = createSecret();
  const { expires_at: expiresAt } = await tx.one<{ expires_at: Date }>(
    `UPDATE invites SET token_hash = $3, expires_at = app_now() + ${validFor},
       sent_count = sent_count + 1, last_sent_at = app_now(), delivery_status = 'queued',
       recent_resends = $4::timestamptz[]
     WHERE organization_id = $1 AND id = $2 RETURNING expires_at`,
    [caller.organizationId, invite.id, hashSecret(token), [...checkResends(invite, at), at]],
  );
  await discardMails(tx, caller.organizationId, invite.id);
  return sendInvite(tx, caller, invite, { token, expiresAt, mails, type: "invite_resent" });
}

/** Withdraws an invitation that was not accepted. A second call changes nothing. */
export async function withdrawInvite(
  tx: Tx,
  caller: Caller,
  reference: string,
): Promise<{ invite: { id: string; email: string; status: "revoked" } }> {
  const invite = await lockInvite(tx, caller, reference);
  const { id, email, status } = invite;
  if (status === "accepted") {
    throw new AppError("conflict", "invite_accepted", { field: "invite_id", email });
  }
  if (status !== "revoked") {
    const revoked = { revoked_at: () => "app_now()", revoked_by: caller.userId };
    const where = { organization_id: caller.organizationId, id };
    await tx.update(Invite, where, revoked);
    await discardMails(tx, caller.organizationId, id);
    await recordInviteActivity(tx, caller, invite, "invite_withdrawn");
  }
  return { invite: { id, email, status: "revoked" } };
}

function refuseRoleWithout(role: WorkspaceRole): void {
  if (role === "member") return;
  const details = { field: "workspace_role", role };
  throw new AppError("validation_failed", "role_without_workspace", details);
}

function cleanMessage(value: string | undefined): string | null {
  if (value === undefined) return null;
  return withoutLinks(cleanText(value, { field: "message", max: maxMessage, multiline: true }));
}

function refuseEnded({ email, status, replaced }: InviteRecord): void {
  const details = { field: "invite_id", email };
  if (status === "accepted" || status === "revoked") {
    throw new AppError("conflict", "invite_ended", { ...details, how: status });
  }
  if (replaced) throw new AppError("conflict", "invite_replaced", details);
}

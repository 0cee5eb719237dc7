import { In, type Tx } from "../../db/database.js";
import {
  Invite,
  OrganizationMember,
  WorkspaceMember,
  workspaceRoles,
} from "../../db/entities/people.js";
import type { Organization } from "../../db/entities/organizations.js";
import { OutgoingMail } from "../../db/entities/messaging.js";
import { AppError } from "../../errors.js";
import { lockSession } from "../access/lock-session.js";
import { recordActivity, type ActivityType, type Origin } from "../audit/record-activity.js";
import type { OrganizationRole, WorkspaceRole } from "../access/caller.js";
import { discardMails } from "../messaging/outbox.js";
import { insertAccount, type AccountPerson, type CheckedAccount } from "../accounts/accounts.js";
import { endSessionsOfOtherWays } from "../accounts/sessions.js";
import { verifyEmail } from "../accounts/email-verification.js";
import { addMember } from "../organizations/organizations.js";
import { inviteStatusSql, type InviteStatus } from "./invite-status.js";

/** The parts of an invitation that the holder of its link may see. */
export interface Invitation
  extends
    Pick<Invite, "id" | "email" | "organization_id" | "organization_role" | "workspace_id">,
    Pick<Invite, "workspace_name" | "workspace_role" | "message" | "invited_by" | "expires_at">,
    Pick<Invite, "accepted_by" | "access_ends_on">,
    Pick<Organization, "time_zone"> {
  status: InviteStatus;
  organization_name: string;
  inviter_name: string;
  account_id: string | null;
}

const invitations = `
  SELECT i.id, ${inviteStatusSql("i")} AS status, i.email, i.organization_id,
    o.name AS organization_name, o.time_zone, i.organization_role, i.workspace_id,
    coalesce(w.name::text, i.workspace_name) AS workspace_name, i.workspace_role, i.message,
    u.name AS inviter_name, i.invited_by, i.expires_at, i.accepted_by,
    i.access_ends_on,
    (SELECT p.id FROM users p WHERE p.email = i.email) AS account_id
  FROM invites i JOIN organizations o ON o.id = i.organization_id
  JOIN users u ON u.id = i.invited_by
  LEFT JOIN workspaces w ON w.organization_id = i.organization_id AND w.id = i.workspace_id
  WHERE i.token_hash = $1`;

export async function findInvitation(db: Tx, tokenHash: Buffer): Promise<Invitation | undefined> {
  return db.maybe<Invitation>(invitations, [tokenHash]);
}

/** True if the person already has everything the invitation grants. */
export async function hasJoined(
  db: Tx,
  { organization_id, workspace_id, organization_role, workspace_role }: Invitation,
  userId: string,
): Promise<boolean> {
  const present = await db.maybe<{
    organization_role: OrganizationRole;
    workspace_role: WorkspaceRole | null;
  }>(
    `SELECT m.role AS organization_role, w.role AS workspace_role
     FROM organization_members m LEFT JOIN workspace_members w
       ON w.organization_id = m.organization_id AND w.user_id = m.user_id AND w.workspace_id = $3
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL`,
    [organization_id, userId, workspace_id],
  );
  if (present === undefined) return false;
  if (present.organization_role !== "member") return true;
  if (organization_role === "admin") return false;
  return (
    workspace_role === null ||
    (present.workspace_role !== null &&
      !lowerRoles(workspace_role).includes(present.workspace_role))
  );
}

function lowerRoles(role: WorkspaceRole): WorkspaceRole[] {
  return workspaceRoles.slice(workspaceRoles.indexOf(role) + 1);
}

export interface Acceptance {
  tokenHash: Buffer;
  origin: Origin;
  /** The session of the signed-in person. It must still exist. */
  sessionId?: string;
}

/**
 * Adds the signed-in person, who must own the invited address. Existing roles are never lowered.
 */
export async function acceptInvitation(
  tx: Tx,
  { tokenHash, origin, sessionId }: Acceptance,
  person: AccountPerson,
): Promise<Invitation> {
  const invitation = await lockPending(tx, tokenHash);
  if (invitation.account_id !== person.id) {
    throw new AppError("forbidden", "invite_of_other", { email: invitation.email });
  }
  await join(tx, invitation, person, origin, sessionId);
  return invitation;
}

export async function acceptWithNewAccount(
  tx: Tx,
  { tokenHash, origin }: Acceptance,
  account: CheckedAccount,
): Promise<{ invitation: Invitation; person: AccountPerson }> {
  const invitation = await lockPending(tx, tokenHash);
  const person = await insertAccount(tx, { ...account, email: invitation.email }, origin);
  await join(tx, invitation, person, origin);
  return { invitation, person };
}

export async function hasOpenInvitation(
  db: Tx,
  organizationId: string,
  email: string,
): Promise<boolean> {
  return (await findOpenLinks(db, organizationId, email)).length > 0;
}

/** Accepts all pending invitations of a person with a verified address. */
export async function acceptOpenInvitations(
  tx: Tx,
  organizationId: string,
  person: AccountPerson,
  origin: Origin,
): Promise<void> {
  for (const tokenHash of await findOpenLinks(tx, organizationId, person.email)) {
    await acceptInvitation(tx, { tokenHash, origin }, person);
  }
}

async function findOpenLinks(db: Tx, organizationId: string, email: string): Promise<Buffer[]> {
  const rows = await db.query<{ token_hash: Buffer }>(
    `SELECT i.token_hash FROM invites i
     WHERE i.organization_id = $1 AND i.email = $2::citext
       AND ${inviteStatusSql("i")} = 'pending' AND i.replaced_at IS NULL
     ORDER BY i.created_at, i.id`,
    [organizationId, email],
  );
  return rows.map(({ token_hash }) => token_hash);
}

async function lockPending(tx: Tx, tokenHash: Buffer): Promise<Invitation> {
  const invitation = await tx.maybe<Invitation>(`${invitations} FOR NO KEY UPDATE OF i`, [
    tokenHash,
  ]);
  if (invitation?.status === "pending") return invitation;
  throw new AppError("expired", "invite_closed");
}

async function join(
  tx: Tx,
  invitation: Invitation,
  person: AccountPerson,
  origin: Origin,
  sessionId?: string,
): Promise<void> {
  const { id, organization_id, organization_role: role, invited_by: invitedBy } = invitation;
  const accepted = { accepted_at: () => "app_now()", accepted_by: person.id };
  await tx.update(Invite, { organization_id, id }, accepted);
  const isVerified = await cameByMail(tx, invitation);
  await discardMails(tx, organization_id, id);
  const actor = { organizationId: organization_id, userId: person.id, origin };
  const { access_ends_on: accessEndsOn } = invitation;
  await addMember(tx, { ...actor, userName: person.name, role, invitedBy, accessEndsOn });
  await raiseRole(tx, invitation, person, origin);
  await joinWorkspace(tx, invitation, person, origin);
  // Every change by a person does this. See `confirmAccess`.
  await tx.update(
    OrganizationMember,
    { organization_id, user_id: person.id },
    { last_active_at: () => "app_now()" },
  );
  // As late as possible, because ending the session waits for this lock. The calls below may end
  // this session.
  if (sessionId !== undefined) await lockSession(tx, sessionId);
  // Lock the account after the membership. See `lockAccount`.
  if (isVerified) await verifyEmail(tx, person, origin);
  await endSessionsOfOtherWays(tx, person.id);
  await recordActivity(tx, {
    ...actor,
    actorName: person.name,
    type: "invite_accepted",
    details: { invite_id: id, email: invitation.email, organization_role: role },
  });
}

/**
 * A link that was not emailed is visible to admins, so it proves nothing about the person who opens
 * it.
 */
async function cameByMail(
  tx: Tx,
  { organization_id, id: invite_id }: Invitation,
): Promise<boolean> {
  const mail = await tx.findOne(OutgoingMail, {
    where: { organization_id, invite_id },
    order: { id: "DESC" },
  });
  return mail?.status === "sent" || mail?.status === "queued";
}

/** For existing members who were invited as an admin. */
async function raiseRole(
  tx: Tx,
  invitation: Invitation,
  person: AccountPerson,
  origin: Origin,
): Promise<void> {
  const { organization_id, organization_role: to } = invitation;
  if (to !== "admin") return;
  const affected = await tx.update(
    OrganizationMember,
    { organization_id, user_id: person.id, role: "member" },
    { role: to },
  );
  if (affected === 1) {
    await recordRole(tx, invitation, person, origin, "role_changed", { from: "member", to });
  }
}

async function joinWorkspace(
  tx: Tx,
  invitation: Invitation,
  person: AccountPerson,
  origin: Origin,
): Promise<void> {
  const { organization_id, workspace_id, workspace_role: role, invited_by } = invitation;
  if (workspace_id === null || role === null) return;
  const place = { workspace_id, workspace: invitation.workspace_name };
  const added = await tx.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT workspace_members_pkey DO NOTHING RETURNING 1`,
    [workspace_id, person.id, organization_id, role, invited_by],
  );
  if (added.length > 0) {
    const details = { ...place, role };
    await recordRole(tx, invitation, person, origin, "workspace_member_added", details);
    return;
  }
  const affected = await tx.update(
    WorkspaceMember,
    { organization_id, workspace_id, user_id: person.id, role: In(lowerRoles(role)) },
    { role },
  );
  if (affected === 1) {
    const details = { ...place, to: role };
    await recordRole(tx, invitation, person, origin, "workspace_role_changed", details);
  }
}

async function recordRole(
  tx: Tx,
  { organization_id: organizationId }: Invitation,
  person: AccountPerson,
  origin: Origin,
  type: ActivityType,
  details: Record<string, unknown>,
): Promise<void> {
  await recordActivity(tx, {
    organizationId,
    userId: person.id,
    actorName: person.name,
    type,
    details: { user_id: person.id, name: person.name, ...details },
    origin,
  });
}

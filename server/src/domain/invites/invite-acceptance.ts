import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { recordActivity, type ActivityType, type Origin } from "../logs/activity.js";
import type { OrganizationRole, WorkspaceRole } from "../access/caller.js";
import { discardMails } from "../mail/outbox.js";
import { createAccount, type AccountPerson } from "../accounts/accounts.js";
import { verifyEmail } from "../accounts/email-verification.js";
import { addMember } from "../organizations/organizations.js";
import { inviteStatusSql, type InviteStatus } from "../sql/invite-status.js";

/** What the holder of an invitation's link may know of it. */
export interface Invitation {
  id: string;
  status: InviteStatus;
  email: string;
  organizationId: string;
  organization: string;
  /** IANA name, of the organization. */
  timeZone: string;
  organizationRole: "admin" | "member";
  workspaceId: string | null;
  workspace: string | null;
  workspaceRole: WorkspaceRole | null;
  /** The personal line. */
  message: string | null;
  inviter: string;
  inviterId: string;
  expiresAt: Date;
  acceptedBy: string | null;
  /** The account of the invited address. */
  accountId: string | null;
}

const invitations = `
  SELECT i.id, ${inviteStatusSql("i")} AS status, i.email::text AS email,
    i.organization_id AS "organizationId", o.name AS organization, o.time_zone AS "timeZone",
    i.organization_role AS "organizationRole", i.workspace_id AS "workspaceId",
    coalesce(w.name::text, i.workspace_name) AS workspace, i.workspace_role AS "workspaceRole",
    i.message, u.name AS inviter, i.invited_by AS "inviterId", i.expires_at AS "expiresAt",
    i.accepted_by AS "acceptedBy",
    (SELECT p.id FROM users p WHERE p.email = i.email) AS "accountId"
  FROM invites i JOIN organizations o ON o.id = i.organization_id
  JOIN users u ON u.id = i.invited_by
  LEFT JOIN workspaces w ON w.organization_id = i.organization_id AND w.id = i.workspace_id
  WHERE i.token_hash = $1`;

/** The invitation of a link, whatever became of it, by the hash of the link's token. */
export async function findInvitation(
  db: EntityManager,
  tokenHash: Buffer,
): Promise<Invitation | undefined> {
  const rows: Invitation[] = await db.query(invitations, [tokenHash]);
  return rows[0];
}

/** What somebody is already in the organization and in the workspace of an invitation. */
interface Standing {
  organizationRole: OrganizationRole;
  workspaceRole: WorkspaceRole | null;
}

/** Whether the person has all that the invitation gives, or more. */
export async function hasJoined(
  db: EntityManager,
  { organizationId, workspaceId, organizationRole, workspaceRole }: Invitation,
  userId: string,
): Promise<boolean> {
  const rows: Standing[] = await db.query(
    `SELECT m.role AS "organizationRole", w.role AS "workspaceRole"
     FROM organization_members m LEFT JOIN workspace_members w
       ON w.organization_id = m.organization_id AND w.user_id = m.user_id AND w.workspace_id = $3
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL`,
    [organizationId, userId, workspaceId],
  );
  const present = rows[0];
  if (present === undefined) return false;
  if (present.organizationRole !== "member") return true;
  if (organizationRole === "admin") return false;
  return (
    workspaceRole === null ||
    (present.workspaceRole !== null &&
      workspaceRoles.indexOf(present.workspaceRole) >= workspaceRoles.indexOf(workspaceRole))
  );
}

/** From the least to the most. */
const workspaceRoles: readonly WorkspaceRole[] = ["viewer", "member", "admin"];

export interface Acceptance {
  tokenHash: Buffer;
  origin: Origin;
}

/** Lets the signed-in person in, whose address was invited. Roles they have are never lowered. */
export async function acceptInvitation(
  tx: EntityManager,
  { tokenHash, origin }: Acceptance,
  person: AccountPerson,
): Promise<Invitation> {
  const invitation = await lockPending(tx, tokenHash);
  if (invitation.accountId !== person.id) {
    throw new AppError("forbidden", `This invitation is for ${invitation.email}.`);
  }
  await join(tx, invitation, person, origin);
  return invitation;
}

/** Makes an account of the invited address and lets it in. */
export async function acceptWithNewAccount(
  tx: EntityManager,
  { tokenHash, origin }: Acceptance,
  { name, password }: { name: string; password: string },
): Promise<{ invitation: Invitation; person: AccountPerson }> {
  const invitation = await lockPending(tx, tokenHash);
  const { email } = invitation;
  const person = await createAccount(tx, { email, name, password, origin });
  await join(tx, invitation, person, origin);
  return { invitation, person };
}

async function lockPending(tx: EntityManager, tokenHash: Buffer): Promise<Invitation> {
  const rows: Invitation[] = await tx.query(`${invitations} FOR NO KEY UPDATE OF i`, [tokenHash]);
  const invitation = rows[0];
  if (invitation?.status === "pending") return invitation;
  throw new AppError("expired", "This invitation can no longer be accepted.");
}

async function join(
  tx: EntityManager,
  invitation: Invitation,
  person: AccountPerson,
  origin: Origin,
): Promise<void> {
  const { id, organizationId, organizationRole: role, inviterId } = invitation;
  await tx.query(
    `UPDATE invites SET accepted_at = fettle_now(), accepted_by = $3
     WHERE organization_id = $1 AND id = $2`,
    [organizationId, id, person.id],
  );
  if (await cameByMail(tx, invitation)) await verifyEmail(tx, person, origin);
  await discardMails(tx, organizationId, id);
  const actor = { organizationId, userId: person.id, origin };
  await addMember(tx, { ...actor, userName: person.name, role, invitedBy: inviterId });
  await raiseRole(tx, invitation, person, origin);
  await joinWorkspace(tx, invitation, person, origin);
  await recordActivity(tx, {
    ...actor,
    actorName: person.name,
    type: "invite_accepted",
    details: { invite_id: id, email: invitation.email, organization_role: role },
  });
}

/** A link that was not mailed is shown to admins, and proves nothing about who opens it. */
async function cameByMail(tx: EntityManager, { organizationId, id }: Invitation): Promise<boolean> {
  const rows: { status: string }[] = await tx.query(
    `SELECT status FROM mail_outbox WHERE organization_id = $1 AND invite_id = $2
     ORDER BY id DESC LIMIT 1`,
    [organizationId, id],
  );
  return rows[0]?.status === "sent" || rows[0]?.status === "queued";
}

/** For a member who was invited as an admin. */
async function raiseRole(
  tx: EntityManager,
  invitation: Invitation,
  person: AccountPerson,
  origin: Origin,
): Promise<void> {
  const { organizationId, organizationRole: to } = invitation;
  if (to !== "admin") return;
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE organization_members SET role = 'admin'
     WHERE organization_id = $1 AND user_id = $2 AND role = 'member'`,
    [organizationId, person.id],
  );
  if (count > 0) {
    await recordRole(tx, invitation, person, origin, "role_changed", { from: "member", to });
  }
}

async function joinWorkspace(
  tx: EntityManager,
  invitation: Invitation,
  person: AccountPerson,
  origin: Origin,
): Promise<void> {
  const { organizationId, workspaceId, workspaceRole, workspace, inviterId } = invitation;
  if (workspaceId === null || workspaceRole === null) return;
  const place = { workspace_id: workspaceId, workspace };
  const added: unknown[] = await tx.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT workspace_members_pkey DO NOTHING RETURNING 1`,
    [workspaceId, person.id, organizationId, workspaceRole, inviterId],
  );
  if (added.length > 0) {
    const details = { ...place, role: workspaceRole };
    await recordRole(tx, invitation, person, origin, "workspace_member_added", details);
    return;
  }
  const lower = workspaceRoles.slice(0, workspaceRoles.indexOf(workspaceRole));
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE workspace_members SET role = $3
     WHERE workspace_id = $1 AND user_id = $2 AND role = ANY ($4::text[])`,
    [workspaceId, person.id, workspaceRole, lower],
  );
  if (count > 0) {
    const details = { ...place, to: workspaceRole };
    await recordRole(tx, invitation, person, origin, "workspace_role_changed", details);
  }
}

async function recordRole(
  tx: EntityManager,
  { organizationId }: Invitation,
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

import type { EntityManager } from "typeorm";
import type { InviteOrganizationRole } from "../../db/entities/invite.js";
import { AppError } from "../../errors.js";
import type { Caller, OrganizationRole } from "../access/caller.js";
import { quote } from "../values/quote.js";
import type { WorkspaceRef } from "../access/roles.js";

interface Invited {
  email: string;
  place: WorkspaceRef;
  organizationRole: InviteOrganizationRole;
}

/**
 * Refuses to invite who is in already. A member of the organization may be invited into another
 * workspace; whether somebody is one, workspace admins learn of their own workspaces only.
 */
export async function refuseMember(
  tx: EntityManager,
  caller: Caller,
  { email, place, organizationRole }: Invited,
): Promise<void> {
  const rows: { role: OrganizationRole; in_workspace: boolean }[] = await tx.query(
    `SELECT m.role, EXISTS (SELECT 1 FROM workspace_members wm
         WHERE wm.organization_id = m.organization_id AND wm.user_id = m.user_id
           AND wm.workspace_id = $3) AS in_workspace
     FROM users u JOIN organization_members m ON m.user_id = u.id AND m.removed_at IS NULL
     WHERE u.email = $2::citext AND m.organization_id = $1`,
    [caller.organizationId, email, place?.id ?? null],
  );
  const member = rows[0];
  if (member === undefined) return;
  if (place !== null && member.in_workspace) {
    throw alreadyIn(email, `a member of ${quote(place.name)}`);
  }
  if (member.role !== "member") {
    throw alreadyIn(email, `an ${member.role} of the organization and sees every workspace`);
  }
  // Nobody's role in the organization changes by an invitation; only admins can ask for that.
  if (place === null || organizationRole === "admin") {
    throw alreadyIn(
      email,
      "a member of the organization. To add them to a workspace, invite them with workspace_id and organization_role member",
    );
  }
}

function alreadyIn(email: string, what: string): AppError {
  return new AppError("already_member", `Conflict: ${email} is already ${what}.`, {
    field: "email",
  });
}

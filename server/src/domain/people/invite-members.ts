import type { Tx } from "../../db/database.js";
import type { InviteOrganizationRole } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import type { Caller, OrganizationRole } from "../access/caller.js";
import type { WorkspaceRef } from "../access/roles.js";

interface Invited {
  email: string;
  place: WorkspaceRef;
  organizationRole: InviteOrganizationRole;
}

/**
 * Throws if the person is already a member. Members of the organization may be invited to another
 * workspace. Workspace admins learn about membership in their own workspaces only.
 */
export async function refuseMember(
  tx: Tx,
  caller: Caller,
  { email, place, organizationRole }: Invited,
): Promise<void> {
  const member = await tx.maybe<{ role: OrganizationRole; in_workspace: boolean }>(
    `SELECT m.role, EXISTS (SELECT 1 FROM workspace_members wm
         WHERE wm.organization_id = m.organization_id AND wm.user_id = m.user_id
           AND wm.workspace_id = $3) AS in_workspace
     FROM users u JOIN organization_members m ON m.user_id = u.id AND m.removed_at IS NULL
     WHERE u.email = $2::citext AND m.organization_id = $1`,
    [caller.organizationId, email, place?.id ?? null],
  );
  if (member === undefined) return;
  const field = "email";
  if (place !== null && member.in_workspace) {
    const details = { field, email, workspace: place.name };
    throw new AppError("already_member", "workspace_member_already", details);
  }
  if (member.role !== "member") {
    throw new AppError("already_member", "admin_already", { field, email, role: member.role });
  }
  // Invitations don't change the role of an existing member. Only admins can request that.
  if (place === null || organizationRole === "admin") {
    throw new AppError("already_member", "member_already", { field, email });
  }
}

import type { Tx } from "../../db/database.js";
import type { InviteOrganizationRole } from "../../db/entities/people.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import {
  requireOrganizationAdmin,
  requireRoleIn,
  requireSecondFactor,
  type WorkspaceRef,
} from "../access/roles.js";
import { findWorkspacesWithRole, rejectMissingWorkspace } from "../shared/workspace-references.js";

/** Workspace admins may invite to their own workspaces, and only as organization members. */
export async function requireMayInvite(
  tx: Tx,
  caller: Caller,
  place: WorkspaceRef,
  organizationRole: InviteOrganizationRole,
): Promise<void> {
  if (place === null && !isOrganizationAdmin(caller)) {
    await rejectMissingWorkspace(tx, caller, "invite");
  }
  await requireRoleIn(tx, caller, place, "admin", "invite people");
  if (organizationRole === "admin") {
    await requireOrganizationAdmin(tx, caller, "invite admins of the organization");
  }
}

/** Invitations are visible only to admins of the organization or a workspace. */
export async function requireMaySeeInvites(
  db: Tx,
  caller: Caller,
  place: WorkspaceRef | undefined,
): Promise<void> {
  const action = "view invitations";
  requireSecondFactor(caller);
  if (place !== undefined) await requireRoleIn(db, caller, place, "admin", action);
  else if ((await findWorkspacesWithRole(db, caller, ["admin"])).length === 0) {
    await requireOrganizationAdmin(db, caller, action);
  }
}

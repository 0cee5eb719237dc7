import type { EntityManager } from "typeorm";
import type { InviteOrganizationRole } from "../../db/entities/invite.js";
import type { Workspace } from "../../db/entities/workspace.js";
import { AppError } from "../../errors.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { requireOrganizationAdmin, requireRoleIn, type WorkspaceRef } from "../access/roles.js";

/** Workspace admins invite into their own workspaces, as members of the organization only. */
export async function requireMayInvite(
  tx: EntityManager,
  caller: Caller,
  place: WorkspaceRef,
  organizationRole: InviteOrganizationRole,
): Promise<void> {
  if (place === null && !isOrganizationAdmin(caller)) await refuseWithoutWorkspace(tx, caller);
  await requireRoleIn(tx, caller, place, "admin", "invite people");
  if (organizationRole === "admin") {
    await requireOrganizationAdmin(tx, caller, "invite admins of the organization");
  }
}

/** Those who administer nothing see no invitations. */
export async function requireMaySeeInvites(
  db: EntityManager,
  caller: Caller,
  place: WorkspaceRef | undefined,
): Promise<void> {
  const action = "see invitations";
  if (place !== undefined) await requireRoleIn(db, caller, place, "admin", action);
  else if ((await findAdministered(db, caller)).length === 0) {
    await requireOrganizationAdmin(db, caller, action);
  }
}

async function refuseWithoutWorkspace(tx: EntityManager, caller: Caller): Promise<void> {
  const workspaces = await findAdministered(tx, caller);
  if (workspaces.length === 0) await requireOrganizationAdmin(tx, caller, "invite people");
  const details = { field: "workspace_id", action: "invite", workspaces } as const;
  throw new AppError("validation_failed", "workspace_missing", details);
}

/** Up to ten workspaces in which a member is admin. */
async function findAdministered(
  db: EntityManager,
  caller: Caller,
): Promise<Pick<Workspace, "id" | "name">[]> {
  return db.query(
    `SELECT w.id, w.name::text AS name FROM workspace_members m
     JOIN workspaces w ON w.organization_id = m.organization_id AND w.id = m.workspace_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.role = 'admin'
     ORDER BY w.name LIMIT 10`,
    [caller.organizationId, caller.userId],
  );
}

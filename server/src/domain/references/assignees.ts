import type { EntityManager } from "typeorm";
import type { OrganizationMember } from "../../db/entities/organization-member.js";
import type { Workspace } from "../../db/entities/workspace.js";
import { AppError } from "../../errors.js";
import { canSeeWorkspace, getPerson, type PersonReference } from "./person-references.js";
import type { Caller } from "../access/caller.js";
import type { Warning } from "../refusals/warnings.js";
import { requireOrganizationAdmin, type WorkspaceRef } from "../access/roles.js";

/**
 * Where a member may add assets, when they left the workspace out: only admins of the organization
 * add assets that are not placed.
 */
export async function rejectUnplaced(tx: EntityManager, caller: Caller): Promise<never> {
  const workspaces: Pick<Workspace, "id" | "name">[] = await tx.query(
    `SELECT w.id, w.name::text AS name FROM workspace_members m
     JOIN workspaces w ON w.organization_id = m.organization_id AND w.id = m.workspace_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.role <> 'viewer'
     ORDER BY w.name LIMIT 10`,
    [caller.organizationId, caller.userId],
  );
  if (workspaces.length === 0) await requireOrganizationAdmin(tx, caller, "add assets");
  const details = { field: "workspace_id", action: "add", workspaces } as const;
  throw new AppError("validation_failed", "workspace_missing", details);
}

/** Finds who shall be responsible; the person must be able to see where the asset is. */
export async function getAssignee(
  tx: EntityManager,
  caller: Caller,
  reference: string,
  place: WorkspaceRef,
  field = "assigned_to_user_id",
): Promise<PersonReference> {
  const person = await getPerson(tx, caller, reference, field, { lock: true });
  if (place === null || (await canSeeWorkspace(tx, caller, person, place.id))) return person;
  const details = { field, name: person.name, workspace: place };
  throw new AppError("validation_failed", "assignee_cannot_see", details);
}

/** Warns that the present assignee cannot see where something goes; nothing when they can. */
export async function findLostAssignee(
  tx: EntityManager,
  caller: Caller,
  holder: { assigned_to_user_id: string | null; assigned_to: string | null },
  place: WorkspaceRef,
  tasks?: number,
): Promise<Warning | undefined> {
  const { assigned_to_user_id: userId, assigned_to: name } = holder;
  if (userId === null) return undefined;
  const rows: Pick<OrganizationMember, "role">[] = await tx.query(
    `SELECT role FROM organization_members
     WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NULL FOR KEY SHARE`,
    [caller.organizationId, userId],
  );
  const role = rows[0]?.role;
  if (role !== undefined) {
    const person = { id: userId, role };
    if (await canSeeWorkspace(tx, caller, person, place?.id ?? null)) return undefined;
  }
  const lost = { key: "assignee_lost", name: name ?? userId, workspace: place?.name } as const;
  return { ...lost, ...(tasks !== undefined && { tasks }) };
}

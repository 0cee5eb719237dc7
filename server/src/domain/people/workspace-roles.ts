import type { Tx } from "../../db/database.js";
import { WorkspaceMember, workspaceRoles } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { recordCallerActivity, type ActivityType } from "../audit/record-activity.js";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { checkWriteQuota } from "../../traffic/write-quota.js";
import { withdrawInvitesOf } from "./invite-endings.js";
import { requireRoleIn, type Action } from "../access/roles.js";
import { getWorkspace, type WorkspaceReference } from "../shared/workspace-references.js";
import { givesMore, ownRole } from "./member-roles.js";
import { getPerson, type PersonReference } from "../shared/person-references.js";

export interface PlaceInWorkspace {
  user_id: string;
  workspace_id: string;
  workspace_role: WorkspaceRole;
}

export interface WorkspaceRoleAnswer {
  user: { id: string; name: string };
  workspace: { id: string; name: string };
  /** Absent if the person was not a member before. */
  from?: WorkspaceRole;
  to: WorkspaceRole;
}

/**
 * Adds an organization member to a workspace. Organization admins already have full access. Their
 * workspace role applies once they become members.
 */
export async function addToWorkspace(
  tx: Tx,
  caller: Caller,
  given: PlaceInWorkspace,
): Promise<WorkspaceRoleAnswer> {
  const { workspace, person } = await lockBoth(tx, caller, given, "add people");
  const { workspace_role: role } = given;
  const added = await tx.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT workspace_members_pkey DO NOTHING RETURNING 1`,
    [workspace.id, person.id, caller.organizationId, role, caller.userId],
  );
  const answer = { user: named(person), workspace: named(workspace), to: role };
  if (added.length === 0) {
    const present = await lockRole(tx, caller, workspace, person);
    if (present === role) return { ...answer, from: role };
    const details = {
      field: "workspace_id",
      name: person.name,
      workspace: workspace.name,
      present,
    };
    throw new AppError("already_member", "in_workspace_already", details);
  }
  await record(tx, caller, "workspace_member_added", answer, { role });
  return answer;
}

/** A hash of the workspace role that a change is based on. */
export function readingOfWorkspaceRole({ role }: { role: WorkspaceRole }): number {
  return contentHash({ role });
}

/**
 * Changes a workspace member's role. Withdraws pending invitations that they could no longer send,
 * or that would give them another role there.
 */
export async function changeWorkspaceRole(
  tx: Tx,
  caller: Caller,
  given: PlaceInWorkspace & { expected?: number | undefined },
): Promise<WorkspaceRoleAnswer> {
  const { workspace, person } = await lockBoth(tx, caller, given, "change roles");
  const { workspace_role: role } = given;
  const from = await lockRole(tx, caller, workspace, person);
  const answer = { user: named(person), workspace: named(workspace), from, to: role };
  if (from === role) return answer;
  assertUnchanged("workspace", { role: from }, given.expected);
  if (givesMore(workspaceRoles, from, role)) checkWriteQuota(caller);
  await tx.update(
    WorkspaceMember,
    { organization_id: caller.organizationId, workspace_id: workspace.id, user_id: person.id },
    { role },
  );
  await withdrawInvitesOf(tx, caller, { userId: person.id, workspaceId: workspace.id });
  await record(tx, caller, "workspace_role_changed", answer, { from, to: role });
  return answer;
}

async function lockBoth(
  tx: Tx,
  caller: Caller,
  { user_id, workspace_id }: PlaceInWorkspace,
  action: Action,
): Promise<{ workspace: WorkspaceReference; person: PersonReference }> {
  const workspace = await getWorkspace(tx, caller, workspace_id, "workspace_id", { lock: true });
  await requireRoleIn(tx, caller, workspace, "admin", action);
  const person = await getPerson(tx, caller, user_id, "user_id", { deactivated: true, lock: true });
  if (person.id === caller.userId) throw ownRole("workspace_role");
  return { workspace, person };
}

async function lockRole(
  tx: Tx,
  caller: Caller,
  workspace: WorkspaceReference,
  person: PersonReference,
): Promise<WorkspaceRole> {
  const member = await tx.findOne(WorkspaceMember, {
    where: {
      organization_id: caller.organizationId,
      workspace_id: workspace.id,
      user_id: person.id,
    },
    lock: { mode: "for_no_key_update" },
  });
  if (member !== undefined) return member.role;
  const details = { field: "workspace_role", name: person.name, workspace: workspace.name };
  throw new AppError("not_found", "not_in_workspace", { ...details, action: "add" });
}

function named({ id, name }: { id: string; name: string }): { id: string; name: string } {
  return { id, name };
}

async function record(
  tx: Tx,
  caller: Caller,
  type: ActivityType,
  { user, workspace }: WorkspaceRoleAnswer,
  roles: Record<string, WorkspaceRole>,
): Promise<void> {
  await recordCallerActivity(tx, caller, type, {
    user_id: user.id,
    name: user.name,
    workspace_id: workspace.id,
    workspace: workspace.name,
    ...roles,
  });
}

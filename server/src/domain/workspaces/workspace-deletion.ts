import type { EntityManager } from "typeorm";
import { Workspace } from "../../db/entities/workspace.js";
import { WorkspaceMember } from "../../db/entities/workspace-member.js";
import { AppError } from "../../errors.js";
import { recordCallerActivity } from "../logs/record-activity.js";
import type { Caller } from "../access/caller.js";
import { violates } from "../sql/query-errors.js";
import { withdrawInvitesTo } from "../invites/invite-endings.js";
import type { WorkspaceContents } from "../refusals/refusals.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { isOpen } from "../tasks/task-states.js";
import {
  getWorkspace,
  workspaceNotFound,
  type WorkspaceReference,
} from "../references/workspace-references.js";

export interface DeletedWorkspace {
  workspace: { id: string; name: string };
  deleted: true;
  invites_revoked: number;
  members_removed: number;
}

/** Deletes a workspace that holds no asset and no task, with its memberships and invitations. */
export async function deleteWorkspace(
  tx: EntityManager,
  caller: Caller,
  reference: string,
): Promise<DeletedWorkspace> {
  const workspace = await getWorkspace(tx, caller, reference);
  await requireOrganizationAdmin(tx, caller, "delete workspaces");
  const contents = await countContents(tx, caller, workspace.id);
  if (contents.assets + contents.tasks > 0) throw notEmpty(workspace, contents);
  const { id, name } = workspace;
  const invites_revoked = await revokeInvites(tx, caller, id);
  const members_removed = await countMembers(tx, caller, id);
  await deleteRow(tx, caller, workspace);
  await recordCallerActivity(tx, caller, "workspace_deleted", { workspace_id: id, name });
  return { workspace: { id, name }, deleted: true, invites_revoked, members_removed };
}

async function countContents(
  tx: EntityManager,
  caller: Caller,
  id: string,
): Promise<WorkspaceContents> {
  const rows: WorkspaceContents[] = await tx.query(
    `SELECT a.assets, a.deleted_assets, t.tasks, t.finished_tasks, t.own_tasks
     FROM (SELECT count(*)::int AS assets,
             (count(*) FILTER (WHERE state = 'deleted'))::int AS deleted_assets
           FROM assets WHERE organization_id = $1 AND workspace_id = $2) a,
       (SELECT count(*)::int AS tasks,
          (count(*) FILTER (WHERE NOT ${isOpen("m")}))::int AS finished_tasks,
          (count(*) FILTER (WHERE asset_id IS NULL))::int AS own_tasks
        FROM maintenance_tasks m WHERE organization_id = $1 AND workspace_id = $2) t`,
    [caller.organizationId, id],
  );
  if (rows[0] === undefined) throw new Error("The contents were not counted.");
  return rows[0];
}

function notEmpty({ name }: WorkspaceReference, contents: WorkspaceContents): AppError {
  const details = { field: "workspace_id", name, contents };
  return new AppError("not_empty", "workspace_not_empty", details);
}

/** Before the workspace is locked: who accepts an invitation locks that first, too. */
async function revokeInvites(tx: EntityManager, caller: Caller, id: string): Promise<number> {
  await tx.query(
    `SELECT 1 FROM invites WHERE organization_id = $1 AND workspace_id = $2
     ORDER BY id FOR NO KEY UPDATE`,
    [caller.organizationId, id],
  );
  return withdrawInvitesTo(tx, caller, id);
}

async function countMembers(tx: EntityManager, caller: Caller, id: string): Promise<number> {
  const where = { organization_id: caller.organizationId, workspace_id: id };
  return tx.countBy(WorkspaceMember, where);
}

/** What came in since it was counted keeps the workspace: the foreign keys decide. */
async function deleteRow(
  tx: EntityManager,
  caller: Caller,
  workspace: WorkspaceReference,
): Promise<void> {
  try {
    const where = { organization_id: caller.organizationId, id: workspace.id };
    const { affected } = await tx.transaction(async (savepoint) => {
      await leaveInvites(savepoint, caller, workspace.id);
      return savepoint.getRepository(Workspace).delete(where);
    });
    if (affected === 0) throw await workspaceNotFound(tx, caller, workspace.id);
  } catch (error) {
    if (!holdsSomething(error)) throw error;
    throw notEmpty(workspace, await countContents(tx, caller, workspace.id));
  }
}

/** Ended invitations stay, without the workspace; whoever adds one just now waits and finds it gone. */
async function leaveInvites(tx: EntityManager, caller: Caller, id: string): Promise<void> {
  const its = [caller.organizationId, id];
  await tx.query("SELECT 1 FROM workspaces WHERE organization_id = $1 AND id = $2 FOR UPDATE", its);
  await tx.query(
    "UPDATE invites SET workspace_id = NULL WHERE organization_id = $1 AND workspace_id = $2",
    its,
  );
}

function holdsSomething(error: unknown): boolean {
  return (
    violates(error, "assets_workspace_id_fkey") ||
    violates(error, "maintenance_tasks_workspace_id_fkey")
  );
}

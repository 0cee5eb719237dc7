import type { Tx } from "../../db/database.js";
import { Workspace } from "../../db/entities/organizations.js";
import { Invite, WorkspaceMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import type { Caller } from "../access/caller.js";
import { withdrawInvitesTo } from "../people/invite-endings.js";
import type { WorkspaceContents } from "../shared/refusals.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { isOpen } from "../tasks/task-states.js";
import {
  getWorkspace,
  workspaceNotFound,
  type WorkspaceReference,
} from "../shared/workspace-references.js";

export interface DeletedWorkspace {
  workspace: { id: string; name: string };
  deleted: true;
  invites_revoked: number;
  members_removed: number;
  /** Rounds of the workspace, retained as evidence under its name. */
  rounds_kept?: number;
  /** Reports on places in the workspace, open or decided. */
  reports_deleted?: number;
}

/**
 * Deletes a workspace without assets and tasks, with its memberships, invitations and place labels.
 * Rounds are retained.
 */
export async function deleteWorkspace(
  tx: Tx,
  caller: Caller,
  reference: string,
): Promise<DeletedWorkspace> {
  const workspace = await getWorkspace(tx, caller, reference);
  await requireOrganizationAdmin(tx, caller, "delete workspaces");
  await requireEmpty(tx, caller, workspace);
  await lockWorkspace(tx, caller, workspace.id);
  // Data may have been added before the lock was granted.
  await requireEmpty(tx, caller, workspace);
  const { id, name } = workspace;
  const invites_revoked = await withdrawInvitesTo(tx, caller, id);
  const members_removed = await countMembers(tx, caller, id);
  const rounds = await keepRounds(tx, caller, id);
  const reports = await leavePlaces(tx, caller, id);
  const { organizationId: organization_id } = caller;
  // Ended invitations are kept, without the workspace.
  await tx.update(Invite, { organization_id, workspace_id: id }, { workspace_id: null });
  await tx.delete(Workspace, { organization_id, id });
  await recordCallerActivity(tx, caller, "workspace_deleted", { workspace_id: id, name });
  return {
    workspace: { id, name },
    deleted: true,
    invites_revoked,
    members_removed,
    ...(rounds > 0 && { rounds_kept: rounds }),
    ...(reports > 0 && { reports_deleted: reports }),
  };
}

async function requireEmpty(
  tx: Tx,
  caller: Caller,
  { id, name }: WorkspaceReference,
): Promise<void> {
  const contents = await countContents(tx, caller, id);
  if (contents.assets + contents.tasks === 0) return;
  const details = { field: "workspace_id", name, contents };
  throw new AppError("not_empty", "workspace_not_empty", details);
}

/**
 * Locks invitations before the workspace, in the order of accepting one. Concurrent additions to
 * the workspace wait, then find it deleted.
 */
async function lockWorkspace(tx: Tx, caller: Caller, id: string): Promise<void> {
  const its = [caller.organizationId, id];
  await tx.query(
    `SELECT 1 FROM invites WHERE organization_id = $1 AND workspace_id = $2
     ORDER BY id FOR NO KEY UPDATE`,
    its,
  );
  const locked = await tx.query(
    "SELECT 1 FROM workspaces WHERE organization_id = $1 AND id = $2 FOR UPDATE",
    its,
  );
  if (locked.length === 0) throw await workspaceNotFound(tx, caller, id);
}

async function countContents(tx: Tx, caller: Caller, id: string): Promise<WorkspaceContents> {
  return tx.one<WorkspaceContents>(
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
}

async function countMembers(tx: Tx, caller: Caller, id: string): Promise<number> {
  const where = { organization_id: caller.organizationId, workspace_id: id };
  return tx.count(WorkspaceMember, where);
}

/** Ends the locked workspace's rounds and stores them under its name. Returns their number. */
async function keepRounds(tx: Tx, caller: Caller, workspaceId: string): Promise<number> {
  return tx.run(
    `UPDATE rounds r SET workspace_id = NULL, workspace_name = w.name::text,
       ended_by = coalesce(r.ended_by, $3), ended_at = coalesce(r.ended_at, app_now())
     FROM workspaces w
     WHERE w.organization_id = $1 AND w.id = $2 AND r.organization_id = $1 AND r.workspace_id = w.id`,
    [caller.organizationId, workspaceId, caller.userId],
  );
}

/**
 * Keeps the photos of work that came from reports on places. Returns the number of reports, which
 * the foreign keys delete.
 */
async function leavePlaces(tx: Tx, caller: Caller, workspaceId: string): Promise<number> {
  const its = [caller.organizationId, workspaceId];
  const reported = `SELECT r.id FROM problem_reports r
    JOIN place_labels p ON p.organization_id = $1 AND p.id = r.place_id
    WHERE r.organization_id = $1 AND p.workspace_id = $2`;
  await tx.query(
    `UPDATE files SET report_id = NULL
     WHERE organization_id = $1 AND task_id IS NOT NULL AND report_id IN (${reported})`,
    its,
  );
  return (await tx.query(reported, its)).length;
}

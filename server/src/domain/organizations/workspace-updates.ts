import type { Tx } from "../../db/database.js";
import { Workspace, workspaceFields } from "../../db/entities/organizations.js";
import { clearableNames, type Given, type Stored } from "../../db/fields.js";
import { clearedFields } from "../shared/clean-fields.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import type { Caller } from "../access/caller.js";
import { storeColumns, toChange } from "../history/differences.js";
import { validateUpdate } from "../history/validate-update.js";
import type { Change } from "../history/record-events.js";
import { requireRoleIn } from "../access/roles.js";
import { checkVersion } from "../history/versions.js";
import { getWorkspace, workspaceNotFound } from "../shared/workspace-references.js";
import { cleanWorkspaceFields, withWorkspaceName } from "./workspaces.js";
import { workspaceUrl } from "../access/urls.js";

export const clearableWorkspaceFields = clearableNames(workspaceFields);

export interface WorkspaceUpdate extends Given<typeof workspaceFields> {
  clear_fields?: typeof clearableWorkspaceFields | undefined;
  expected_version?: number | undefined;
}

export interface WorkspaceChange {
  workspace: { id: string; name: string; version: number; url: string };
  changed: Change[];
}

type WorkspaceFields = Stored<typeof workspaceFields>;

export async function updateWorkspace(
  tx: Tx,
  caller: Caller,
  reference: string,
  update: WorkspaceUpdate,
): Promise<WorkspaceChange> {
  const { fields, id } = await checkWorkspaceUpdate(tx, caller, reference, update);
  const workspace = await lockWorkspace(tx, caller, id);
  await checkVersion(tx, caller, { kind: "workspace", ...workspace }, update.expected_version);
  const columns = Object.entries(fields).filter(
    ([field, value]) => value !== workspace[field as keyof WorkspaceFields],
  );
  const changed = columns.map(([field, value]) =>
    toChange(field, workspace[field as keyof WorkspaceFields], value),
  );
  const name = fields.name ?? workspace.name;
  let { version } = workspace;
  if (columns.length > 0) {
    ({ version } = await withWorkspaceName(tx, caller, name, (savepoint) =>
      storeColumns(savepoint, caller, { table: "workspaces", id }, columns),
    ));
    await recordCallerActivity(tx, caller, "workspace_updated", {
      workspace_id: id,
      name,
      changed: changed.map(({ field }) => field),
      ...(name !== workspace.name && { former_name: workspace.name }),
    });
  }
  return { workspace: { id, name, version, url: workspaceUrl(caller, id) }, changed };
}

/** Validates a change except for the uniqueness of the name. Stores nothing. */
export async function checkWorkspaceUpdate(
  tx: Tx,
  caller: Caller,
  reference: string,
  update: WorkspaceUpdate,
): Promise<{ id: string; fields: Partial<WorkspaceFields> }> {
  const fields = cleanFields(update);
  const workspace = await getWorkspace(tx, caller, reference);
  await requireRoleIn(tx, caller, workspace, "admin", "edit workspaces");
  return { id: workspace.id, fields };
}

function cleanFields(update: WorkspaceUpdate): Partial<WorkspaceFields> {
  const cleared = validateUpdate(update, "or clear_fields");
  return { ...cleanWorkspaceFields(update), ...clearedFields(workspaceFields, cleared) };
}

async function lockWorkspace(tx: Tx, caller: Caller, id: string): Promise<Workspace> {
  const workspace = await tx.findOne(Workspace, {
    where: { organization_id: caller.organizationId, id },
    lock: { mode: "for_no_key_update" },
  });
  if (workspace !== undefined) return workspace;
  // Deleted while waiting for the lock.
  throw await workspaceNotFound(tx, caller, id);
}

import type { Tx } from "../../db/database.js";
import type { Workspace } from "../../db/entities/organizations.js";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import { ownRoleSql } from "../access/roles.js";
import { visibleWorkspaceSql } from "../access/visibility.js";

export interface WorkspaceChoice extends Pick<Workspace, "id" | "name"> {
  /** The caller's role. Organization admins are admin everywhere. */
  role: WorkspaceRole;
}

export async function findWorkspaceChoices(db: Tx, caller: Caller): Promise<WorkspaceChoice[]> {
  const parameters = createParameters(caller.organizationId);
  const visible = visibleWorkspaceSql(caller, parameters, "w.id");
  const role = ownRoleSql(caller, parameters, "w.id");
  return db.query(
    `SELECT w.id, w.name::text AS name, ${role} AS role FROM workspaces w
     WHERE w.organization_id = $1 AND ${visible} ORDER BY w.name, w.id`,
    parameters.values,
  );
}

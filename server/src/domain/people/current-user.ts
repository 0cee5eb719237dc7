import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin, type Caller, type WorkspaceRole } from "../access/caller.js";
import { omit } from "../shared/omit.js";
import { createParameters } from "../../db/parameters.js";
import { ownRoleSql } from "../access/roles.js";
import { visibleWorkspaceSql } from "../access/visibility.js";

const maxWorkspaces = 25;

export interface OwnWorkspaces {
  workspaces: { id: string; name: string; role: WorkspaceRole }[];
  /** The total. The list is limited to 25. */
  workspace_count: number;
}

/**
 * The workspaces visible to the caller, with the role in each. Organization admins get only the
 * count.
 */
export async function findOwnWorkspaces(db: Tx, caller: Caller): Promise<OwnWorkspaces> {
  const parameters = createParameters(caller.organizationId);
  const visible = visibleWorkspaceSql(caller, parameters, "w.id");
  const role = ownRoleSql(caller, parameters, "w.id");
  const rows = await db.query<{ id: string; name: string; role: WorkspaceRole; total: number }>(
    `SELECT w.id, w.name::text AS name, ${role} AS role, (count(*) OVER ())::int AS total
     FROM workspaces w WHERE w.organization_id = $1 AND ${visible}
     ORDER BY w.name, w.id LIMIT ${parameters.add(maxWorkspaces)}`,
    parameters.values,
  );
  return {
    workspaces: isOrganizationAdmin(caller) ? [] : rows.map((row) => omit(row, "total")),
    workspace_count: rows[0]?.total ?? 0,
  };
}

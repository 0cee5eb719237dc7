import type { Tx } from "../../db/database.js";
import type { Caller, OrganizationRole, WorkspaceRole } from "../access/caller.js";
import { visibleAccountSql, visibleMemberSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { omit } from "../shared/omit.js";

const maxPeople = 50;

export interface WorkspacePerson {
  id: string;
  name: string;
  organization_role: OrganizationRole;
  /** Null for owners and admins of the organization who are not members of the workspace. */
  role: WorkspaceRole | null;
  /** Open tasks assigned to the person in this workspace. */
  open_tasks: number;
}

export interface WorkspacePeople {
  people: WorkspacePerson[];
  total_count: number;
}

/** People who can see the workspace, members first. At most fifty, with the total. */
export async function findWorkspacePeople(
  db: Tx,
  caller: Caller,
  workspaceId: string,
): Promise<WorkspacePeople> {
  const parameters = createParameters(caller.organizationId, workspaceId);
  const rows = await db.query<WorkspacePerson & { total: number }>(
    `SELECT u.id, u.name, m.role AS organization_role, wm.role, (count(*) OVER ())::int AS total,
       (SELECT coalesce(sum(f.n), 0)::int FROM figures f WHERE f.organization_id = $1
          AND f.kind = 'assigned_task' AND f.key = u.id AND f.level IN (0, 1)
          AND f.workspace_id = $2) AS open_tasks
     FROM organization_members m JOIN users u ON u.id = m.user_id
     LEFT JOIN workspace_members wm ON wm.organization_id = $1 AND wm.user_id = m.user_id
       AND wm.workspace_id = $2
     WHERE m.organization_id = $1 AND m.removed_at IS NULL AND (m.role <> 'member' OR wm.role IS NOT NULL)
       AND ${visibleMemberSql(caller, parameters, "m")} AND ${visibleAccountSql(caller, "u")}
     ORDER BY wm.role IS NULL, lower(u.name), u.id LIMIT ${maxPeople}`,
    parameters.values,
  );
  return {
    people: rows.map((row) => omit(row, "total")),
    total_count: rows[0]?.total ?? 0,
  };
}

import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { OrganizationMember } from "../../db/entities/people.js";
import type { User } from "../../db/entities/accounts.js";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAccountSql, visibleMemberSql, visibleWorkspaceSql } from "../access/visibility.js";
import { assignedCounts, visibleEmail } from "./member-columns.js";

export interface MemberDetails
  extends
    Pick<User, "id" | "name" | "job_title">,
    Pick<OrganizationMember, "role" | "joined_at" | "last_active_at" | "access_ends_on"> {
  /** Null if the caller may not see it. */
  email: string | null;
  deactivated: boolean;
  /** Null if the caller may not see that person. */
  invited_by: string | null;
  open_tasks: number;
  assigned_assets: number;
  /** All workspaces visible to the caller. */
  workspaces: { id: string; name: string; role: WorkspaceRole; added_at: string }[];
}

export async function getMember(db: Tx, caller: Caller, userId: string): Promise<MemberDetails> {
  const parameters = createParameters(caller.organizationId, userId);
  const member = await db.maybe<MemberDetails>(
    `SELECT u.id, u.name, u.job_title, ${visibleEmail(caller, parameters)} AS email,
       m.role, u.deactivated_at IS NOT NULL AS deactivated, m.joined_at, inviter.name AS invited_by,
       m.last_active_at, m.access_ends_on,
       ${assignedCounts(caller, parameters, "u.id")},
       coalesce((SELECT jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'role', wm.role,
            'added_at', wm.added_at) ORDER BY w.name, w.id)
          FROM workspace_members wm
          JOIN workspaces w ON w.organization_id = wm.organization_id AND w.id = wm.workspace_id
          WHERE wm.organization_id = $1 AND wm.user_id = u.id
            AND ${visibleWorkspaceSql(caller, parameters, "w.id")}), '[]') AS workspaces
     FROM organization_members m JOIN users u ON u.id = m.user_id
     LEFT JOIN organization_members by ON by.organization_id = $1 AND by.user_id = m.invited_by
       AND ${visibleMemberSql(caller, parameters, "by")}
     LEFT JOIN users inviter ON inviter.id = by.user_id AND ${visibleAccountSql(caller, "inviter")}
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
       AND ${visibleAccountSql(caller, "u")}
       AND ${visibleMemberSql(caller, parameters, "m")}`,
    parameters.values,
  );
  if (member !== undefined) return member;
  throw new AppError("not_found", "no_such_member");
}

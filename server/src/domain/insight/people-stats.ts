import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin } from "../access/caller.js";
import { inviteStatusSql } from "../people/invite-status.js";
import { hasAccessSql } from "../people/member-columns.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import {
  visibleAccountSql,
  visibleInviteSql,
  visibleMemberSql,
  visibleWorkspaceSql,
} from "../access/visibility.js";
import type { StatsRequest } from "./stats-request.js";

const activeDays = 30;

/** Counts the people the caller sees, or the people with access to one workspace. */
export async function countPeople(
  db: Tx,
  request: StatsRequest,
): Promise<{ members: number; active_30_days: number }> {
  const { caller, workspaceId, now } = request;
  const parameters = createParameters(caller.organizationId);
  const since = parameters.add(new Date(now.getTime() - activeDays * 86_400_000));
  const where =
    workspaceId === undefined
      ? visibleMemberSql(caller, parameters, "m")
      : hasAccessSql("m", parameters.add(workspaceId));
  const row = await db.maybe<{ members: number; active_30_days: number }>(
    `SELECT count(*)::int AS members,
       count(*) FILTER (WHERE m.last_active_at >= ${since}::timestamptz)::int AS active_30_days
     FROM organization_members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL AND ${visibleAccountSql(caller, "u")}
       AND ${where}`,
    parameters.values,
  );
  return row ?? { members: 0, active_30_days: 0 };
}

export async function countPendingInvites(db: Tx, request: StatsRequest): Promise<number | null> {
  const { caller, workspaceId } = request;
  const parameters = createParameters(caller.organizationId);
  const place =
    workspaceId === undefined ? "TRUE" : `i.workspace_id = ${parameters.add(workspaceId)}`;
  const row = await db.maybe<{ pending: number; may_see: boolean }>(
    `SELECT ${maySeeInvites(request, parameters)} AS may_see,
       (SELECT count(*)::int FROM invites i
        WHERE i.organization_id = $1 AND ${inviteStatusSql("i")} = 'pending' AND ${place}
          AND ${visibleInviteSql(caller, parameters, "i")}) AS pending`,
    parameters.values,
  );
  return row?.may_see === true ? row.pending : null;
}

function maySeeInvites({ caller, workspaceId }: StatsRequest, { add }: Parameters): string {
  if (caller.lacksSecondFactor === true) return "FALSE";
  if (isOrganizationAdmin(caller)) return "TRUE";
  const place = workspaceId === undefined ? "TRUE" : `own.workspace_id = ${add(workspaceId)}`;
  return `EXISTS (SELECT 1 FROM workspace_members own WHERE own.organization_id = $1
    AND own.user_id = ${add(caller.userId)} AND own.role = 'admin' AND ${place})`;
}

export async function countWorkspaces(db: Tx, request: StatsRequest): Promise<number> {
  if (request.workspaceId !== undefined) return 1;
  const parameters = createParameters(request.caller.organizationId);
  const row = await db.maybe<{ workspaces: number }>(
    `SELECT count(*)::int AS workspaces FROM workspaces w
     WHERE w.organization_id = $1 AND ${visibleWorkspaceSql(request.caller, parameters, "w.id")}`,
    parameters.values,
  );
  return row?.workspaces ?? 0;
}

import type { Caller } from "../access/caller.js";
import type { Parameters } from "../../db/parameters.js";
import { visibleEmailSql, visibleFigureSql } from "../access/visibility.js";

/** SQL for the email of `u`, a users row. Null if the caller may not see it. */
export function visibleEmail(caller: Caller, parameters: Parameters): string {
  return `CASE WHEN ${visibleEmailSql(caller, parameters, "u")} THEN u.email::text END`;
}

/**
 * SQL that counts a person's open tasks and assets, within the caller's view. `userId` is an SQL
 * expression.
 */
export function assignedCounts(caller: Caller, parameters: Parameters, userId: string): string {
  const isVisible = visibleFigureSql(caller, parameters, "f", { each: false });
  const count = (kind: string) => `(SELECT coalesce(sum(f.n), 0)::int FROM figures f
     WHERE f.organization_id = $1 AND f.kind = '${kind}' AND f.key = ${userId} AND ${isVisible})`;
  return `${count("assigned_task")} AS open_tasks, ${count("asset_of_person")} AS assigned_assets`;
}

export function hasAccessSql(member: string, workspaceId: string): string {
  return `(${member}.role <> 'member' OR EXISTS (SELECT 1 FROM workspace_members wm
    WHERE wm.organization_id = $1 AND wm.user_id = ${member}.user_id
      AND wm.workspace_id = ${workspaceId}))`;
}

import type { Caller } from "../access/caller.js";
import type { Parameters } from "../sql/parameters.js";
import { openTaskCount } from "../tasks/task-counts.js";
import { isUnfinished } from "../tasks/task-states.js";
import { visibleAssetSql, visibleEmailSql, visibleTaskSql } from "../access/visibility.js";

/** The email of `u`, a users row, or null for who may not see it. */
export function visibleEmail(caller: Caller, parameters: Parameters): string {
  return `CASE WHEN ${visibleEmailSql(caller, parameters, "u")} THEN u.email::text END`;
}

/** How much of what the caller sees somebody is responsible for; `userId` is an SQL expression. */
export function assignedCounts(caller: Caller, parameters: Parameters, userId: string): string {
  const visibleTask = visibleTaskSql(caller, parameters, "t");
  const visibleAsset = visibleAssetSql(caller, parameters, "a");
  return `${openTaskCount(
    `t.assigned_to_user_id = ${userId} AND ${isUnfinished} AND ${visibleTask}`,
  )} AS open_tasks,
    (SELECT count(*)::int FROM assets a
     WHERE a.organization_id = $1 AND a.assigned_to_user_id = ${userId} AND a.state <> 'deleted'
       AND ${visibleAsset}) AS assigned_assets`;
}

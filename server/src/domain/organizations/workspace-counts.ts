/**
 * A query for asset_count, open_tasks and overdue_tasks of a workspace; `today` is a parameter, such
 * as `$2`. Finished tasks have the first day of all, those without a due day the last.
 */
export function workspaceCounts(workspaceId: string, today: string): string {
  const sum = (condition: string) => `coalesce(sum(f.n) FILTER (WHERE ${condition}), 0)::int`;
  return `SELECT ${sum("f.kind = 'asset'")} AS asset_count, ${sum("f.kind = 'task'")} AS open_tasks,
      ${sum(`f.kind = 'task' AND f.day < ${today}::date`)} AS overdue_tasks
    FROM figures f WHERE f.organization_id = $1 AND f.level IN (0, 1)
      AND f.workspace_id = ${workspaceId}
      AND (f.kind = 'asset' AND f.key NOT LIKE 'deleted %'
        OR f.kind = 'task' AND f.day > '-infinity')`;
}

/** SQL condition: the link still works. `link` is the alias of a task_links row. */
export function liveTaskLinkSql(link: string): string {
  return `${link}.revoked_at IS NULL AND ${link}.expires_at > app_now()`;
}

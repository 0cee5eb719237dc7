/**
 * SQL for a live connection: not revoked and not expired. `connection` is the alias of a row of
 * oauth_connections.
 */
export function liveConnectionSql(connection: string): string {
  return `(${connection}.revoked_at IS NULL
    AND (${connection}.expires_at IS NULL OR ${connection}.expires_at > app_now()))`;
}

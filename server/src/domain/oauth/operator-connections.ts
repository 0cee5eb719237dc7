import type { Tx } from "../../db/database.js";
import type { Connection } from "../../db/entities/oauth.js";
import { operatorName, recordActivity } from "../audit/record-activity.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { deleteUnusedCodesOf } from "./authorization-codes.js";
import { revokeConnections } from "./connections.js";

/** Filters connections for an operator. Omitted fields match all. */
export interface ConnectionFilter {
  connectionId?: string | undefined;
  userId?: string | undefined;
  organizationId?: string | undefined;
}

export interface ConnectionLine extends Pick<
  Connection,
  | "organization_id"
  | "user_id"
  | "client_id"
  | "scopes"
  | "created_at"
  | "last_used_at"
  | "expires_at"
> {
  connection_id: string;
  organization: string;
  email: string;
  name: string;
  client_name: string;
}

export async function listConnections(
  db: Tx,
  { connectionId, userId, organizationId }: ConnectionFilter,
): Promise<ConnectionLine[]> {
  return db.query(
    `SELECT c.id AS connection_id, c.organization_id, o.name AS organization, c.user_id,
       u.email::text AS email, u.name, c.client_id, coalesce(k.name, k.id) AS client_name,
       c.scopes, c.created_at, c.last_used_at, c.expires_at
     FROM oauth_connections c
     JOIN organizations o ON o.id = c.organization_id
     JOIN users u ON u.id = c.user_id
     JOIN oauth_clients k ON k.id = c.client_id
     WHERE ${liveConnectionSql("c")} AND ($1::text IS NULL OR c.id = $1)
       AND ($2::text IS NULL OR c.user_id = $2) AND ($3::text IS NULL OR c.organization_id = $3)
     ORDER BY o.name, o.id, u.email, c.created_at, c.id`,
    [connectionId ?? null, userId ?? null, organizationId ?? null],
  );
}

/**
 * Ends connections, logs them and returns them. Also deletes unused approvals, unless the filter
 * names one connection.
 */
export async function disconnectByOperator(
  tx: Tx,
  filter: ConnectionFilter,
): Promise<ConnectionLine[]> {
  const { connectionId, userId, organizationId } = filter;
  if (connectionId === undefined) await deleteUnusedCodesOf(tx, { userId, organizationId });
  const ended: ConnectionLine[] = [];
  for (const line of await listConnections(tx, filter)) {
    const { connection_id: id, organization_id, client_id, client_name, user_id, name } = line;
    if ((await revokeConnections(tx, { organization_id, id }, "disconnected", null)) === 0)
      continue;
    await recordActivity(tx, {
      organizationId: organization_id,
      actorName: operatorName,
      type: "app_disconnected",
      details: { connection_id: id, client_id, client_name, reason: "disconnected", user_id, name },
    });
    ended.push(line);
  }
  return ended;
}

import type { Scope } from "fettle-shared";
import type { DataSource, EntityManager } from "typeorm";
import type { RevokedReason } from "../../db/entities/connection.js";
import { AppError } from "../../errors.js";
import { recordActivity, type Origin } from "../activity.js";
import type { ApprovedAccess } from "./authorization-codes.js";
import { createId } from "../ids.js";
import { toScopes } from "./scopes.js";

/** An app that may act for a person in one organization: a row of Connected Apps. */
export interface ConnectionRow {
  id: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  scopes: Scope[];
  organizationId: string;
  organizationName: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const liveConnections = `
  SELECT c.id, c.client_id AS "clientId", coalesce(k.name, k.id) AS "clientName",
    c.redirect_uri AS "redirectUri", c.scopes, c.organization_id AS "organizationId",
    o.name AS "organizationName", c.created_at AS "createdAt", c.last_used_at AS "lastUsedAt"
  FROM oauth_connections c
  JOIN oauth_clients k ON k.id = c.client_id
  JOIN organizations o ON o.id = c.organization_id
  JOIN organization_members m ON m.organization_id = c.organization_id
    AND m.user_id = c.user_id AND m.removed_at IS NULL
  WHERE c.user_id = $1 AND c.revoked_at IS NULL`;

/** The person's live connections, newest first. */
export async function findConnections(db: EntityManager, userId: string): Promise<ConnectionRow[]> {
  const rows: ConnectionRow[] = await db.query(
    `${liveConnections} ORDER BY c.created_at DESC, c.id`,
    [userId],
  );
  return rows.map((row) => ({ ...row, scopes: toScopes(row.scopes) }));
}

/** One live connection of the person's own. */
export async function getConnection(
  db: EntityManager,
  userId: string,
  connectionId: string,
): Promise<ConnectionRow> {
  const rows: ConnectionRow[] = await db.query(`${liveConnections} AND c.id = $2`, [
    userId,
    connectionId,
  ]);
  const row = rows[0];
  if (row === undefined) throw unknownConnection();
  return { ...row, scopes: toScopes(row.scopes) };
}

function unknownConnection(): AppError {
  return new AppError(
    "not_found",
    "There is no such connected app. It may be disconnected already.",
  );
}

export interface EndedConnection {
  clientName: string;
  organizationName: string;
  revokedAt: Date;
}

/** Connections that reuse of a refresh token ended in the last 14 days, for the person's notice. */
export async function findEndedByReuse(
  db: EntityManager,
  userId: string,
): Promise<EndedConnection[]> {
  return db.query(
    `SELECT coalesce(k.name, k.id) AS "clientName", o.name AS "organizationName",
       c.revoked_at AS "revokedAt"
     FROM oauth_connections c
     JOIN oauth_clients k ON k.id = c.client_id
     JOIN organizations o ON o.id = c.organization_id
     WHERE c.user_id = $1 AND c.revoked_reason = 'refresh_reuse'
       AND c.revoked_at > clock_timestamp() - interval '14 days'
     ORDER BY c.revoked_at DESC`,
    [userId],
  );
}

/** A new row for every authorization, also of an app that is connected already. */
export async function openConnection(
  tx: EntityManager,
  access: Omit<ApprovedAccess, "codeChallenge">,
): Promise<string> {
  const id = createId("connection");
  await tx.query(
    `INSERT INTO oauth_connections
       (id, organization_id, user_id, client_id, scopes, resource, redirect_uri, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())`,
    [
      id,
      access.organizationId,
      access.userId,
      access.clientId,
      access.scopes,
      access.resource,
      access.redirectUri,
    ],
  );
  return id;
}

/** Ends a connection of the person's own at once: its tokens stop with the next request. */
export async function disconnectApp(
  tx: EntityManager,
  request: { userId: string; userName: string; connectionId: string; origin?: Origin },
): Promise<void> {
  const { userId, userName, connectionId, origin } = request;
  const connection = await getConnection(tx, userId, connectionId);
  if (!(await revoke(tx, connectionId, "disconnected", userId))) throw unknownConnection();
  await recordActivity(tx, {
    organizationId: connection.organizationId,
    userId,
    actorName: userName,
    type: "app_disconnected",
    details: {
      connection_id: connectionId,
      client_id: connection.clientId,
      client_name: connection.clientName,
      reason: "disconnected",
    },
    ...(origin !== undefined && { origin }),
  });
}

async function revoke(
  tx: EntityManager,
  connectionId: string,
  reason: RevokedReason,
  revokedBy: string | null,
): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE oauth_connections
     SET revoked_at = clock_timestamp(), revoked_by = $3, revoked_reason = $2
     WHERE id = $1 AND revoked_at IS NULL`,
    [connectionId, reason, revokedBy],
  );
  return count === 1;
}

/** Ends a connection for what its app did, and tells the organization's activity log. */
export async function endConnection(
  tx: EntityManager,
  connectionId: string,
  reason: "revoked_by_client" | "refresh_reuse" | "code_reuse",
  origin: Origin,
): Promise<void> {
  if (!(await revoke(tx, connectionId, reason, null))) return;
  const rows: {
    organization_id: string;
    user_id: string;
    user_name: string;
    client_id: string;
    client_name: string;
  }[] = await tx.query(
    `SELECT c.organization_id, c.user_id, u.name AS user_name, c.client_id,
       coalesce(k.name, k.id) AS client_name
     FROM oauth_connections c
     JOIN users u ON u.id = c.user_id
     JOIN oauth_clients k ON k.id = c.client_id
     WHERE c.id = $1`,
    [connectionId],
  );
  for (const row of rows) {
    await recordActivity(tx, {
      organizationId: row.organization_id,
      userId: row.user_id,
      actorName: row.user_name,
      type: reason === "refresh_reuse" ? "refresh_reuse" : "app_disconnected",
      details: {
        connection_id: connectionId,
        client_id: row.client_id,
        client_name: row.client_name,
        reason,
      },
      origin,
    });
  }
}

/** Ends all that a person connected in one organization, and tells how many there were. */
export async function endConnectionsOf(
  tx: EntityManager,
  member: { organizationId: string; userId: string; revokedBy?: string },
): Promise<number> {
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE oauth_connections
     SET revoked_at = clock_timestamp(), revoked_by = $3, revoked_reason = 'member_removed'
     WHERE organization_id = $1 AND user_id = $2 AND revoked_at IS NULL`,
    [member.organizationId, member.userId, member.revokedBy ?? null],
  );
  return count;
}

/** Notes that the connection was used just now, and with it its person in the organization. */
export async function touchConnection(
  db: EntityManager | DataSource,
  connectionId: string,
): Promise<void> {
  // Two statements, so that no lock on one row waits for the other.
  const [used]: [{ organization_id: string; user_id: string }[], number] = await db.query(
    `UPDATE oauth_connections SET last_used_at = clock_timestamp() WHERE id = $1
     RETURNING organization_id, user_id`,
    [connectionId],
  );
  for (const { organization_id, user_id } of used) {
    await db.query(
      `UPDATE organization_members SET last_active_at = clock_timestamp()
       WHERE organization_id = $1 AND user_id = $2`,
      [organization_id, user_id],
    );
  }
}

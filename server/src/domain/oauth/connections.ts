import type { Scope } from "fettle-shared";
import type { DataSource, EntityManager } from "typeorm";
import type { RevokedReason } from "../../db/entities/connection.js";
import { AppError } from "../../errors.js";
import { recordActivity, type Origin } from "../logs/activity.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import type { ApprovedAccess } from "./authorization-codes.js";
import { createId } from "../values/ids.js";
import { omit } from "../values/omit.js";
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
  personId: string;
  personName: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** What the app changed for the person in this organization during the last seven days. */
  recentChanges: number;
}

/** The columns of a row, and the tables they come from, with `c` as the connection. */
export const connectionColumns = `c.id, c.client_id AS "clientId",
  coalesce(k.name, k.id) AS "clientName", c.redirect_uri AS "redirectUri", c.scopes,
  c.organization_id AS "organizationId", o.name AS "organizationName", c.user_id AS "personId",
  u.name AS "personName", c.created_at AS "createdAt", c.last_used_at AS "lastUsedAt",
  (SELECT count(*)::int FROM history_events e WHERE e.organization_id = c.organization_id
     AND e.actor_user_id = c.user_id AND e.client_id = c.client_id
     AND e.occurred_at > fettle_now() - interval '7 days') AS "recentChanges"`;
export const connectionTables = `oauth_connections c
  JOIN oauth_clients k ON k.id = c.client_id
  JOIN organizations o ON o.id = c.organization_id
  JOIN users u ON u.id = c.user_id
  JOIN organization_members m ON m.organization_id = c.organization_id
    AND m.user_id = c.user_id AND m.removed_at IS NULL`;

/** The person's live connections, newest first. */
export async function findConnections(db: EntityManager, userId: string): Promise<ConnectionRow[]> {
  const rows: ConnectionRow[] = await db.query(
    `SELECT ${connectionColumns} FROM ${connectionTables}
     WHERE c.user_id = $1 AND c.revoked_at IS NULL ORDER BY c.created_at DESC, c.id`,
    [userId],
  );
  return rows.map((row) => ({ ...row, scopes: toScopes(row.scopes) }));
}

/** One live connection: of the person's own, or into the organization that the caller administers. */
export async function getConnection(
  db: EntityManager,
  userId: string,
  connectionId: string,
  caller?: Caller | null,
): Promise<ConnectionRow> {
  const row = await findConnection(db, userId, connectionId, caller);
  if (row === undefined || row.hasEnded) throw unknownConnection();
  return omit(row, "hasEnded");
}

async function findConnection(
  db: EntityManager,
  userId: string,
  connectionId: string,
  caller: Caller | null | undefined,
): Promise<(ConnectionRow & { hasEnded: boolean }) | undefined> {
  const administered =
    caller !== null && caller !== undefined && isOrganizationAdmin(caller)
      ? caller.organizationId
      : null;
  const rows: (ConnectionRow & { hasEnded: boolean })[] = await db.query(
    `SELECT ${connectionColumns}, c.revoked_at IS NOT NULL AS "hasEnded" FROM ${connectionTables}
     WHERE c.id = $2 AND (c.user_id = $1 OR c.organization_id = $3)`,
    [userId, connectionId, administered],
  );
  const row = rows[0];
  return row && { ...row, scopes: toScopes(row.scopes) };
}

function unknownConnection(ended?: ConnectionRow): AppError {
  return new AppError(
    "not_found",
    "There is no such connected app. It may be disconnected already.",
    ended && { details: { ended: ended.clientName } },
  );
}

/** The app's name, when what could not be disconnected had been before. */
export function findEndedBefore(error: unknown): string | undefined {
  const ended = error instanceof AppError ? error.details?.["ended"] : undefined;
  return typeof ended === "string" ? ended : undefined;
}

export interface EndedConnection {
  id: string;
  clientName: string;
  organizationName: string;
  revokedAt: Date;
  reason: "refresh_reuse" | "disconnected";
  /** The admin who ended it, as far as there is still an account. */
  endedBy: string | null;
}

/** Connections that somebody else than the person ended in the last 14 days, for their notice. */
export async function findEndedByOthers(
  db: EntityManager,
  userId: string,
): Promise<EndedConnection[]> {
  return db.query(
    `SELECT c.id, coalesce(k.name, k.id) AS "clientName", o.name AS "organizationName",
       c.revoked_at AS "revokedAt", c.revoked_reason AS reason, a.name AS "endedBy"
     FROM oauth_connections c
     JOIN oauth_clients k ON k.id = c.client_id
     JOIN organizations o ON o.id = c.organization_id
     LEFT JOIN users a ON a.id = c.revoked_by
     WHERE c.user_id = $1 AND c.revoked_at > fettle_now() - interval '14 days'
       AND (c.revoked_reason = 'refresh_reuse'
         OR (c.revoked_reason = 'disconnected' AND c.revoked_by IS DISTINCT FROM c.user_id))
     ORDER BY c.revoked_at DESC, c.id`,
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
       (id, organization_id, user_id, client_id, scopes, resource, redirect_uri)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
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

export interface Disconnection {
  /** Who ends it. */
  userId: string;
  userName: string;
  connectionId: string;
  /** Lets owners and admins end what others connected to their organization. */
  caller?: Caller | null;
  origin?: Origin;
}

/** Ends a connection at once: its tokens stop with the next request. Tells what it was. */
export async function disconnectApp(
  tx: EntityManager,
  { userId, userName, connectionId, caller, origin }: Disconnection,
): Promise<ConnectionRow> {
  const found = await findConnection(tx, userId, connectionId, caller);
  if (found === undefined) throw unknownConnection();
  const connection = omit(found, "hasEnded");
  if (!(await revoke(tx, connectionId, "disconnected", userId))) {
    throw unknownConnection(connection);
  }
  const { personId, personName } = connection;
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
      ...(personId !== userId && { user_id: personId, name: personName }),
    },
    ...(origin !== undefined && { origin }),
  });
  return connection;
}

async function revoke(
  tx: EntityManager,
  connectionId: string,
  reason: RevokedReason,
  revokedBy: string | null,
): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE oauth_connections
     SET revoked_at = fettle_now(), revoked_by = $3, revoked_reason = $2
     WHERE id = $1 AND revoked_at IS NULL`,
    [connectionId, reason, revokedBy],
  );
  return count === 1;
}

/**
 * Ends a connection for what its app did, and tells the organization's activity log. False when it
 * had ended before.
 */
export async function endConnection(
  tx: EntityManager,
  connectionId: string,
  reason: "revoked_by_client" | "refresh_reuse" | "code_reuse",
  origin: Origin,
): Promise<boolean> {
  if (!(await revoke(tx, connectionId, reason, null))) return false;
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
  return true;
}

/** Ends all that a person connected in one organization, and tells how many there were. */
export async function endConnectionsOf(
  tx: EntityManager,
  member: { organizationId: string; userId: string; revokedBy?: string },
): Promise<number> {
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE oauth_connections
     SET revoked_at = fettle_now(), revoked_by = $3, revoked_reason = 'member_removed'
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
    `UPDATE oauth_connections SET last_used_at = fettle_now() WHERE id = $1
     RETURNING organization_id, user_id`,
    [connectionId],
  );
  for (const { organization_id, user_id } of used) {
    await db.query(
      `UPDATE organization_members SET last_active_at = fettle_now()
       WHERE organization_id = $1 AND user_id = $2`,
      [organization_id, user_id],
    );
  }
}

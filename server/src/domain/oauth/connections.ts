import type { Scope } from "fettle-shared";
import { IsNull, type Tx } from "../../db/database.js";
import { Connection, type RevokedReason } from "../../db/entities/oauth.js";
import { AppError, isRefusal } from "../../errors.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { requireSecondFactor } from "../access/roles.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { deleteUnusedCodes, type ApprovedAccess } from "./authorization-codes.js";
import { createId } from "../shared/ids.js";
import { omit } from "../shared/omit.js";
import { toScopes } from "./scopes.js";

export interface ConnectionKey {
  organizationId: string;
  connectionId: string;
}

/** An app's access for a person in one organization: a row of Connected Apps. */
export interface ConnectionRow extends Omit<
  Connection,
  "scopes" | "resource" | "revoked_at" | "revoked_by" | "revoked_reason"
> {
  scopes: Scope[];
  client_name: string;
  organization_name: string;
  user_name: string;
  /**
   * Changes by the app for the person in this organization in the last seven days. Counting stops
   * at one more than `maxCountedChanges`.
   */
  recent_changes: number;
  /** True if the app ever changed something for the person in this organization. */
  has_changes: boolean;
}

/** Per connection on a page. An app can change hundreds of thousands of records in a week. */
export const maxCountedChanges = 1000;

/**
 * SQL condition: the app of a connection changed or deleted something for its person. A permanent
 * deletion leaves no history.
 */
export function hasChangesSql(connection: string): string {
  return `(EXISTS (SELECT FROM history_events e
      WHERE e.organization_id = ${connection}.organization_id AND e.client_id = ${connection}.client_id
        AND e.actor_user_id = ${connection}.user_id)
    OR EXISTS (SELECT FROM deletion_records d
      WHERE d.organization_id = ${connection}.organization_id AND d.client_id = ${connection}.client_id
        AND d.actor_user_id = ${connection}.user_id))`;
}

/**
 * Columns of a row and their tables, with alias `c` for the connection. ORDER BY makes PostgreSQL
 * use the index that skips changes by other apps.
 */
export const connectionColumns = `c.id, c.client_id, coalesce(k.name, k.id) AS client_name,
  c.redirect_uri, c.scopes, c.organization_id, o.name AS organization_name, c.user_id,
  u.name AS user_name, c.created_at, c.last_used_at, c.expires_at,
  (SELECT count(*)::int FROM (SELECT FROM history_events e WHERE e.organization_id = c.organization_id
     AND e.actor_user_id = c.user_id AND e.client_id = c.client_id
     AND e.recorded_at > app_now() - interval '7 days'
     ORDER BY e.recorded_at LIMIT ${maxCountedChanges + 1}) changes) AS recent_changes,
  ${hasChangesSql("c")} AS has_changes`;
export const connectionTables = `oauth_connections c
  JOIN oauth_clients k ON k.id = c.client_id
  JOIN organizations o ON o.id = c.organization_id
  JOIN users u ON u.id = c.user_id
  JOIN organization_members m ON m.organization_id = c.organization_id
    AND m.user_id = c.user_id AND m.removed_at IS NULL`;

/**
 * Returns the person's live connections, newest first. `after` is the id of the previous page's
 * last row.
 */
export async function findConnections(
  db: Tx,
  userId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<ConnectionRow[]> {
  const rows = await db.query<ConnectionRow>(
    `SELECT ${connectionColumns} FROM ${connectionTables}
     WHERE c.user_id = $1 AND ${liveConnectionSql("c")}
       AND ($3::text IS NULL OR (c.created_at, c.id) <
         (SELECT a.created_at, a.id FROM oauth_connections a WHERE a.id = $3 AND a.user_id = $1))
     ORDER BY c.created_at DESC, c.id DESC LIMIT $2`,
    [userId, limit, after ?? null],
  );
  return rows.map((row) => ({ ...row, scopes: toScopes(row.scopes) }));
}

export async function countConnections(db: Tx, userId: string): Promise<number> {
  const row = await db.maybe<{ count: number }>(
    `SELECT count(*)::int AS count FROM oauth_connections c
     JOIN organization_members m ON m.organization_id = c.organization_id
       AND m.user_id = c.user_id AND m.removed_at IS NULL
     WHERE c.user_id = $1 AND ${liveConnectionSql("c")}`,
    [userId],
  );
  return row?.count ?? 0;
}

/**
 * Returns a live connection: the person's own, or any in the organization that the caller
 * administers.
 */
export async function getConnection(
  db: Tx,
  userId: string,
  connectionId: string,
  caller?: Caller | null,
): Promise<ConnectionRow> {
  const row = await findConnection(db, userId, connectionId, caller);
  if (row === undefined || row.has_ended) throw unknownConnection();
  return omit(row, "has_ended");
}

export async function findConnection(
  db: Tx,
  userId: string,
  connectionId: string,
  caller: Caller | null | undefined,
): Promise<(ConnectionRow & { has_ended: boolean }) | undefined> {
  const administered =
    caller !== null && caller !== undefined && isOrganizationAdmin(caller)
      ? caller.organizationId
      : null;
  const row = await db.maybe<ConnectionRow & { has_ended: boolean }>(
    `SELECT ${connectionColumns}, NOT ${liveConnectionSql("c")} AS has_ended FROM ${connectionTables}
     WHERE c.id = $2 AND (c.user_id = $1 OR c.organization_id = $3)`,
    [userId, connectionId, administered],
  );
  if (row !== undefined && row.user_id !== userId && caller) requireSecondFactor(caller);
  return row && { ...row, scopes: toScopes(row.scopes) };
}

export function unknownConnection(ended?: ConnectionRow): AppError {
  return new AppError("not_found", "no_such_app", { ended: ended?.client_name });
}

/** The app's name if disconnecting failed because the connection had already ended. */
export function findEndedBefore(error: unknown): string | undefined {
  return isRefusal(error, "no_such_app") ? error.params.ended : undefined;
}

const maxOfClient = 50;

/**
 * Adds a connection for every authorization, even if the app is already connected. Above the limit,
 * ends the least recently used one. If a removal in another organization has locked it, the next
 * authorization ends it.
 */
export async function openConnection(
  tx: Tx,
  access: Omit<ApprovedAccess, "code_challenge">,
): Promise<string> {
  const id = createId("connection");
  const { organization_id, user_id, client_id, scopes, resource, redirect_uri } = access;
  const connection = { id, organization_id, user_id, client_id, scopes, resource, redirect_uri };
  const { connection_days: days } = access;
  const expires_at = days === null ? null : () => `app_now() + interval '${days} days'`;
  await tx.insert(Connection, { ...connection, expires_at });
  const unused = await tx.query<ConnectionKey>(
    `SELECT f.organization_id AS "organizationId", f.id AS "connectionId" FROM oauth_connections f
     JOIN (SELECT c.organization_id, c.id FROM oauth_connections c
       WHERE c.user_id = $1 AND c.client_id = $2 AND ${liveConnectionSql("c")} AND c.id <> $3
       ORDER BY coalesce(c.last_used_at, c.created_at) DESC, c.id OFFSET ${maxOfClient - 1}) unused
       ON f.organization_id = unused.organization_id AND f.id = unused.id
     FOR NO KEY UPDATE OF f SKIP LOCKED`,
    [user_id, client_id, id],
  );
  for (const key of unused) await endConnection(tx, key, "too_many");
  return id;
}

export interface Disconnection {
  userId: string;
  userName: string;
  connectionId: string;
  /** Set to let owners and admins end other people's connections to their organization. */
  caller?: Caller | null;
  origin?: Origin | undefined;
}

/**
 * Ends a connection. Its tokens stop working with the next request. Returns the ended connection.
 */
export async function disconnectApp(
  tx: Tx,
  { userId, userName, connectionId, caller, origin }: Disconnection,
): Promise<ConnectionRow> {
  const found = await findConnection(tx, userId, connectionId, caller);
  if (found === undefined) throw unknownConnection();
  const connection = omit(found, "has_ended");
  if (found.has_ended) throw unknownConnection(connection);
  const { organization_id } = connection;
  const ended = await revokeConnections(
    tx,
    { organization_id, id: connectionId },
    "disconnected",
    userId,
  );
  if (ended === 0) throw unknownConnection(connection);
  await recordActivity(tx, {
    organizationId: connection.organization_id,
    userId,
    actorName: userName,
    type: "app_disconnected",
    details: {
      connection_id: connectionId,
      client_id: connection.client_id,
      client_name: connection.client_name,
      reason: "disconnected",
      ...(connection.user_id !== userId && {
        user_id: connection.user_id,
        name: connection.user_name,
      }),
    },
    origin,
  });
  return connection;
}

export async function revokeConnections(
  tx: Tx,
  connections: Partial<Pick<Connection, "id" | "organization_id" | "user_id">>,
  reason: RevokedReason,
  revokedBy: string | null,
): Promise<number> {
  const revoked_at = () => "app_now()";
  return tx.update(
    Connection,
    { ...connections, revoked_at: IsNull() },
    { revoked_at, revoked_by: revokedBy, revoked_reason: reason },
  );
}

/**
 * Ends a connection because of the app's behavior, expiry or the limit, and logs it. Returns false
 * if it had already ended.
 */
export async function endConnection(
  tx: Tx,
  { organizationId, connectionId }: ConnectionKey,
  reason: Exclude<RevokedReason, "disconnected" | "member_removed">,
  origin?: Origin,
): Promise<boolean> {
  const key = { organization_id: organizationId, id: connectionId };
  if ((await revokeConnections(tx, key, reason, null)) === 0) return false;
  const rows = await tx.query<
    Pick<ConnectionRow, "user_id" | "user_name" | "client_id" | "client_name">
  >(
    `SELECT c.user_id, u.name AS user_name, c.client_id,
       coalesce(k.name, k.id) AS client_name
     FROM oauth_connections c
     JOIN users u ON u.id = c.user_id
     JOIN oauth_clients k ON k.id = c.client_id
     WHERE c.organization_id = $1 AND c.id = $2`,
    [organizationId, connectionId],
  );
  for (const row of rows) {
    await recordActivity(tx, {
      organizationId,
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

/**
 * Ends all connections and pending approvals of a person in an organization. Returns the number of
 * connections.
 */
export async function endConnectionsOf(
  tx: Tx,
  member: { organizationId: string; userId: string; revokedBy?: string },
): Promise<number> {
  const { organizationId: organization_id, userId: user_id, revokedBy = null } = member;
  await deleteUnusedCodes(tx, member);
  return revokeConnections(tx, { organization_id, user_id }, "member_removed", revokedBy);
}

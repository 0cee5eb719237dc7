import type { Scope } from "fettle-shared";
import { IsNull, Not, type Tx } from "../../db/database.js";
import { AccessToken, Connection, RefreshToken } from "../../db/entities/oauth.js";
import type { Origin } from "../audit/record-activity.js";
import { endConnection, type ConnectionKey } from "./connections.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { createSecret, hashSecret } from "../shared/secrets.js";
import { toScopes } from "./scopes.js";
import { encryptSuccessor, type TokenPair } from "./successor.js";

export const accessTokenSeconds = 7200;

export const accessTokenPrefix = "mcp_at_";
const refreshTokenPrefix = "mcp_rt_";

export function createAccessToken(): string {
  return createSecret(accessTokenPrefix);
}

export function createRefreshToken(): string {
  return createSecret(refreshTokenPrefix);
}

/** A refresh token whose connection is locked until the transaction ends. */
export interface StoredRefreshToken extends ConnectionKey {
  hash: Buffer;
  clientId: string;
  userId: string;
  /** The granted scopes. Refreshing never changes them. */
  grantedScopes: Scope[];
  resource: string;
  /** True if connection, membership and account are all active. */
  alive: boolean;
  rotation: Rotation | undefined;
}

export interface Rotation {
  secondsAgo: number;
  /**
   * True if the replay began before the use was committed, so the client couldn't know about it.
   */
  overlapping: boolean;
  encrypted: Buffer | null;
  /**
   * Hash of the `rotation_id` that retrieves the successor at any time. Null without one, or once
   * the successor was used.
   */
  idHash: Buffer | null;
}

/** A code or token as found before its lock is taken. */
export interface PresentedToken {
  organizationId: string;
  /** Set for refresh tokens. */
  connectionId: string | null;
  isUsed: boolean;
  /** The owner of an unused refresh token. Null for replays, which are never rate limited. */
  userId: string | null;
}

/** Undefined if the text was never a code or token. */
export async function findPresented(
  db: Tx,
  presented: string,
): Promise<PresentedToken | undefined> {
  return db.maybe<PresentedToken>(
    `SELECT r.organization_id AS "organizationId", r.connection_id AS "connectionId",
       r.rotated_at IS NOT NULL AS "isUsed",
       CASE WHEN r.rotated_at IS NULL AND ${liveConnectionSql("c")} THEN c.user_id END AS "userId"
     FROM oauth_refresh_tokens r
     JOIN oauth_connections c ON c.organization_id = r.organization_id AND c.id = r.connection_id
     WHERE r.token_hash = $1
     UNION ALL
     SELECT organization_id, NULL, FALSE, NULL FROM oauth_authorization_codes WHERE code_hash = $1
     UNION ALL
     SELECT organization_id, NULL, FALSE, NULL FROM oauth_access_tokens WHERE token_hash = $1`,
    [hashSecret(presented)],
  );
}

/** Undefined if the text was never a refresh token. */
export async function lockRefreshToken(
  tx: Tx,
  token: string,
  { organizationId, connectionId, isUsed }: PresentedToken,
): Promise<StoredRefreshToken | undefined> {
  if (connectionId === null) return undefined;
  const hash = hashSecret(token);
  // Locks only the connection, so requests can't deadlock. A second statement then sees changes
  // made meanwhile.
  await tx.query(
    "SELECT 1 FROM oauth_connections WHERE organization_id = $1 AND id = $2 FOR UPDATE",
    [organizationId, connectionId],
  );
  const row = await tx.maybe<
    Pick<RefreshToken, "successor_encrypted" | "rotation_id_hash"> &
      Pick<Connection, "client_id" | "user_id" | "scopes" | "resource"> & {
        alive: boolean;
        seconds_ago: number | null;
      }
  >(
    `SELECT c.client_id, c.user_id, c.scopes, c.resource, r.successor_encrypted, r.rotation_id_hash,
       ${liveConnectionSql("c")} AND u.deactivated_at IS NULL AND m.removed_at IS NULL AS alive,
       extract(epoch FROM app_now() - r.rotated_at)::float8 AS seconds_ago
     FROM oauth_refresh_tokens r
     JOIN oauth_connections c ON c.organization_id = r.organization_id AND c.id = r.connection_id
     JOIN users u ON u.id = c.user_id
     JOIN organization_members m ON m.organization_id = c.organization_id AND m.user_id = c.user_id
     WHERE r.organization_id = $1 AND r.token_hash = $2`,
    [organizationId, hash],
  );
  if (row === undefined) return undefined;
  return {
    hash,
    organizationId,
    connectionId,
    clientId: row.client_id,
    userId: row.user_id,
    grantedScopes: toScopes(row.scopes),
    resource: row.resource,
    alive: row.alive,
    rotation:
      row.seconds_ago === null
        ? undefined
        : {
            secondsAgo: row.seconds_ago,
            overlapping: !isUsed,
            encrypted: row.successor_encrypted,
            idHash: row.rotation_id_hash,
          },
  };
}

/** False for negative ages, which result from a clock that was set back. */
export function isWithin(secondsAgo: number, seconds: number): boolean {
  return secondsAgo >= 0 && secondsAgo <= seconds;
}

/** True for the first use only. Also deletes the successors of earlier tokens. */
export async function rotateRefreshToken(tx: Tx, token: StoredRefreshToken): Promise<boolean> {
  await tx.update(
    RefreshToken,
    { ...keyOf(token), successor_encrypted: Not(IsNull()) },
    { successor_encrypted: null, rotation_id_hash: null },
  );
  const affected = await tx.update(
    RefreshToken,
    { organization_id: token.organizationId, token_hash: token.hash, rotated_at: IsNull() },
    { rotated_at: () => "app_now()" },
  );
  return affected === 1;
}

/**
 * Stores the hashes of the pair. A second live refresh token of a connection violates an index. The
 * first use of the access token disables the repeat of the refresh token `endsRepeatOf`.
 */
export async function storeTokens(
  tx: Tx,
  connection: ConnectionKey,
  pair: TokenPair,
  endsRepeatOf: Buffer | null = null,
): Promise<void> {
  await storeAccessToken(tx, connection, pair, endsRepeatOf);
  const token_hash = hashSecret(pair.refreshToken);
  await tx.insert(RefreshToken, { token_hash, ...keyOf(connection) });
  const used = { last_used_at: () => "app_now()" };
  const { organizationId: organization_id, connectionId: id } = connection;
  await tx.update(Connection, { organization_id, id }, used);
}

export async function storeAccessToken(
  tx: Tx,
  connection: ConnectionKey,
  { accessToken, scopes }: Pick<TokenPair, "accessToken" | "scopes">,
  endsRepeatOf: Buffer | null = null,
): Promise<void> {
  await tx.insert(AccessToken, {
    token_hash: hashSecret(accessToken),
    ...keyOf(connection),
    scopes,
    expires_at: () => `app_now() + interval '${accessTokenSeconds} seconds'`,
    ends_repeat_of: endsRepeatOf,
  });
}

function keyOf({ organizationId, connectionId }: ConnectionKey) {
  return { organization_id: organizationId, connection_id: connectionId };
}

/**
 * Stores the successor, encrypted under the presented token, for overlapping requests and repeats
 * with the `rotation_id`.
 */
export async function storeSuccessor(
  tx: Tx,
  { organizationId, hash }: StoredRefreshToken,
  presented: string,
  pair: TokenPair,
  rotationId: string | undefined,
): Promise<void> {
  await tx.update(
    RefreshToken,
    { organization_id: organizationId, token_hash: hash },
    {
      successor_encrypted: encryptSuccessor(presented, pair),
      rotation_id_hash: rotationId === undefined ? null : hashSecret(rotationId),
    },
  );
}

/**
 * Records the first use of an access token. From then on, its refresh can't be repeated by
 * `rotation_id`. Both hashes come from the grant, so only first calls need this statement.
 */
export async function endRepeat(
  db: Tx,
  organizationId: string,
  accessTokenHash: Buffer,
  refreshTokenHash: Buffer,
): Promise<void> {
  await db.query(
    `WITH used AS (
       UPDATE oauth_access_tokens SET ends_repeat_of = NULL
       WHERE organization_id = $1 AND token_hash = $2 AND ends_repeat_of IS NOT NULL
       RETURNING token_hash)
     UPDATE oauth_refresh_tokens SET rotation_id_hash = NULL
     WHERE organization_id = $1 AND token_hash = $3 AND EXISTS (SELECT FROM used)`,
    [organizationId, accessTokenHash, refreshTokenHash],
  );
}

/**
 * RFC 7009 §2.1: a refresh token, even a used one, ends its connection. An access token ends without it.
 * Its client has received it, so it isn't issued again. Tokens of other clients are ignored.
 * Nothing reveals whether a token exists.
 */
export async function revokeTokenOf(
  tx: Tx,
  request: { clientId: string; token: string; origin: Origin },
): Promise<void> {
  const hash = hashSecret(request.token);
  const connections = await tx.query<ConnectionKey>(
    `SELECT c.organization_id AS "organizationId", c.id AS "connectionId"
     FROM oauth_refresh_tokens r
     JOIN oauth_connections c ON c.organization_id = r.organization_id AND c.id = r.connection_id
     WHERE r.token_hash = $1 AND c.client_id = $2`,
    [hash, request.clientId],
  );
  for (const connection of connections) {
    await endConnection(tx, connection, "revoked_by_client", request.origin);
  }
  await tx.query(
    `WITH revoked AS (
       UPDATE oauth_access_tokens t SET revoked_at = app_now()
       FROM oauth_connections c
       WHERE t.token_hash = $1 AND t.revoked_at IS NULL
         AND c.organization_id = t.organization_id AND c.id = t.connection_id AND c.client_id = $2
       RETURNING t.organization_id, t.ends_repeat_of)
     UPDATE oauth_refresh_tokens r SET rotation_id_hash = NULL FROM revoked
     WHERE r.organization_id = revoked.organization_id AND r.token_hash = revoked.ends_repeat_of`,
    [hash, request.clientId],
  );
}

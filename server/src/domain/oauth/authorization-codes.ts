import type { Scope } from "fettle-shared";
import type { EntityManager } from "typeorm";
import { hashSecret } from "../values/secrets.js";
import { toScopes } from "./scopes.js";

/** OAuth 2.1 §4.1.2: at most ten minutes; an app uses its code within a second or two. */
export const codeSeconds = 60;

/** What a person approved, on its way to the first token. */
export interface ApprovedAccess {
  clientId: string;
  organizationId: string;
  userId: string;
  scopes: Scope[];
  resource: string;
  redirectUri: string;
  codeChallenge: string;
}

export interface StoredCode extends ApprovedAccess {
  hash: Buffer;
  expired: boolean;
  consumed: boolean;
  /** The connection that the first redemption opened. */
  connectionId: string | null;
}

export async function createCode(
  tx: EntityManager,
  code: string,
  access: ApprovedAccess,
): Promise<void> {
  await tx.query(
    `INSERT INTO oauth_authorization_codes
       (code_hash, client_id, organization_id, user_id, scopes, resource, redirect_uri,
        code_challenge, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, fettle_now() + make_interval(secs => $9))`,
    [
      hashSecret(code),
      access.clientId,
      access.organizationId,
      access.userId,
      access.scopes,
      access.resource,
      access.redirectUri,
      access.codeChallenge,
      codeSeconds,
    ],
  );
}

/** Locks the code until the transaction ends: of parallel redemptions the others wait and lose. */
export async function lockCode(tx: EntityManager, code: string): Promise<StoredCode | undefined> {
  const hash = hashSecret(code);
  const rows: {
    client_id: string;
    organization_id: string;
    user_id: string;
    scopes: string[];
    resource: string;
    redirect_uri: string;
    code_challenge: string;
    connection_id: string | null;
    expired: boolean;
    consumed: boolean;
  }[] = await tx.query(
    `SELECT client_id, organization_id, user_id, scopes, resource, redirect_uri, code_challenge,
       connection_id, expires_at <= fettle_now() AS expired,
       consumed_at IS NOT NULL AS consumed
     FROM oauth_authorization_codes WHERE code_hash = $1 FOR UPDATE`,
    [hash],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    hash,
    clientId: row.client_id,
    organizationId: row.organization_id,
    userId: row.user_id,
    scopes: toScopes(row.scopes),
    resource: row.resource,
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
    connectionId: row.connection_id,
    expired: row.expired,
    consumed: row.consumed,
  };
}

/** True for the one redemption that gets it. */
export async function consumeCode(tx: EntityManager, hash: Buffer): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE oauth_authorization_codes SET consumed_at = fettle_now()
     WHERE code_hash = $1 AND consumed_at IS NULL`,
    [hash],
  );
  return count === 1;
}

/** Remembers what the code became, so that a replay can end it. */
export async function linkCode(
  tx: EntityManager,
  hash: Buffer,
  connectionId: string,
): Promise<void> {
  await tx.query(`UPDATE oauth_authorization_codes SET connection_id = $2 WHERE code_hash = $1`, [
    hash,
    connectionId,
  ]);
}

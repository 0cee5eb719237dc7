import type { Scope } from "fettle-shared";
import { IsNull, type Tx } from "../../db/database.js";
import { AuthorizationCode } from "../../db/entities/oauth.js";
import { hashSecret } from "../shared/secrets.js";
import { toScopes } from "./scopes.js";

/** OAuth 2.1 §4.1.2 allows ten minutes. Apps use their code within a second or two. */
export const codeSeconds = 60;

/** The approved access, stored with the code until the first token is issued. */
export interface ApprovedAccess extends Pick<
  AuthorizationCode,
  | "client_id"
  | "organization_id"
  | "user_id"
  | "resource"
  | "redirect_uri"
  | "code_challenge"
  | "connection_days"
> {
  scopes: Scope[];
}

export interface StoredCode
  extends ApprovedAccess, Pick<AuthorizationCode, "code_hash" | "connection_id"> {
  expired: boolean;
  consumed: boolean;
}

export async function createCode(tx: Tx, code: string, access: ApprovedAccess): Promise<void> {
  await tx.insert(AuthorizationCode, {
    ...access,
    code_hash: hashSecret(code),
    expires_at: () => `app_now() + interval '${codeSeconds} seconds'`,
  });
}

/** Locks the code until the transaction ends. Parallel redemptions wait, then fail. */
export async function lockCode(tx: Tx, code: string): Promise<StoredCode | undefined> {
  const row = await tx.maybe<StoredCode>(
    `SELECT code_hash, client_id, organization_id, user_id, scopes, resource, redirect_uri,
       code_challenge, connection_days, connection_id, expires_at <= app_now() AS expired,
       consumed_at IS NOT NULL AS consumed
     FROM oauth_authorization_codes WHERE code_hash = $1 FOR UPDATE`,
    [hashSecret(code)],
  );
  return row && { ...row, scopes: toScopes(row.scopes) };
}

/** True for the first redemption only. */
export async function consumeCode(
  tx: Tx,
  { organization_id, code_hash }: StoredCode,
): Promise<boolean> {
  const unused = { organization_id, code_hash, consumed_at: IsNull() };
  const affected = await tx.update(AuthorizationCode, unused, {
    consumed_at: () => "app_now()",
  });
  return affected === 1;
}

/**
 * Deletes unused codes when a membership ends, even if the person soon rejoins. Skips a code that
 * is being redeemed: its redemption waits for the membership and then fails.
 */
export async function deleteUnusedCodes(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await tx.query(
    `DELETE FROM oauth_authorization_codes WHERE organization_id = $1 AND code_hash = ANY (ARRAY(
       SELECT code_hash FROM oauth_authorization_codes
       WHERE organization_id = $1 AND user_id = $2 AND consumed_at IS NULL FOR UPDATE SKIP LOCKED))`,
    [organizationId, userId],
  );
}

/**
 * Deletes unused codes of a person, an organization, or both, for operators. Waits for codes that
 * are being redeemed. Those are connections by then.
 */
export async function deleteUnusedCodesOf(
  tx: Tx,
  { userId, organizationId }: { userId: string | undefined; organizationId: string | undefined },
): Promise<void> {
  await tx.query(
    `DELETE FROM oauth_authorization_codes WHERE consumed_at IS NULL
       AND ($1::text IS NULL OR user_id = $1) AND ($2::text IS NULL OR organization_id = $2)`,
    [userId ?? null, organizationId ?? null],
  );
}

/** Links the code to its connection. A replay of the code can then end the connection. */
export async function linkCode(
  tx: Tx,
  { organization_id, code_hash }: StoredCode,
  connectionId: string,
): Promise<void> {
  await tx.update(
    AuthorizationCode,
    { organization_id, code_hash },
    { connection_id: connectionId },
  );
}

import type { Scope } from "fettle-shared";
import type { EntityManager } from "typeorm";
import { toScopes } from "./scopes.js";
import { createSecret } from "../values/secrets.js";

/** How long a person may look at the consent page. */
const openFor = "interval '10 minutes'";

/** A checked authorization request that waits for its person's decision. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  /** Whether the client named the redirect URI, or it followed from the registration. */
  redirectUriGiven: boolean;
  state: string | undefined;
  codeChallenge: string;
  resource: string;
  /** Decide only which boxes start ticked. */
  requestedScopes: Scope[];
}

/** Whose browser a request belongs to: the same person in the same browser session. */
export interface RequestOwner {
  userId: string;
  sessionHash: Buffer;
}

export interface OpenRequest extends AuthorizationRequest {
  id: string;
  /** As the app claims. */
  clientName: string | null;
}

interface RequestRow {
  id: string;
  client_id: string;
  client_name: string | null;
  redirect_uri: string;
  redirect_uri_given: boolean;
  state: string | null;
  code_challenge: string;
  resource: string;
  requested_scopes: string[];
}

export async function createAuthorizationRequest(
  db: EntityManager,
  request: AuthorizationRequest,
  owner: RequestOwner,
): Promise<string> {
  const id = createSecret();
  await db.query(
    `INSERT INTO oauth_authorization_requests
       (id, session_hash, user_id, client_id, redirect_uri, redirect_uri_given, state,
        code_challenge, resource, requested_scopes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      owner.sessionHash,
      owner.userId,
      request.clientId,
      request.redirectUri,
      request.redirectUriGiven,
      request.state ?? null,
      request.codeChallenge,
      request.resource,
      request.requestedScopes,
    ],
  );
  return id;
}

/** Undefined when it is somebody else's, of another browser session, decided, or too old. */
export async function findOpenRequest(
  db: EntityManager,
  id: string,
  owner: RequestOwner,
): Promise<OpenRequest | undefined> {
  const rows: RequestRow[] = await db.query(
    `SELECT r.id, r.client_id, k.name AS client_name, r.redirect_uri, r.redirect_uri_given,
       r.state, r.code_challenge, r.resource, r.requested_scopes
     FROM oauth_authorization_requests r
     JOIN oauth_clients k ON k.id = r.client_id
     WHERE r.id = $1 AND r.user_id = $2 AND r.session_hash = $3 AND r.decided_at IS NULL
       AND r.created_at > fettle_now() - ${openFor}`,
    [id, owner.userId, owner.sessionHash],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    id: row.id,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectUri: row.redirect_uri,
    redirectUriGiven: row.redirect_uri_given,
    state: row.state ?? undefined,
    codeChallenge: row.code_challenge,
    resource: row.resource,
    requestedScopes: toScopes(row.requested_scopes),
  };
}

/** True for the one caller who decides; a second click gets false. */
export async function decideRequest(
  tx: EntityManager,
  id: string,
  owner: RequestOwner,
): Promise<boolean> {
  const [, count]: [unknown, number] = await tx.query(
    `UPDATE oauth_authorization_requests SET decided_at = fettle_now()
     WHERE id = $1 AND user_id = $2 AND session_hash = $3 AND decided_at IS NULL
       AND created_at > fettle_now() - ${openFor}`,
    [id, owner.userId, owner.sessionHash],
  );
  return count === 1;
}

/**
 * Whether the person is an active member now. Holds the membership until the transaction ends, so a
 * removal comes either before this or after everything the transaction does.
 */
export async function holdMembership(
  tx: EntityManager,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `SELECT 1
     FROM organization_members m
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
     FOR SHARE OF m`,
    [organizationId, userId],
  );
  return rows.length === 1;
}

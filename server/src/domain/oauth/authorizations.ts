import type { Tx } from "../../db/database.js";
import { AuthorizationRequest } from "../../db/entities/oauth.js";
import { waitBriefly } from "../../db/locks.js";
import { toScopes } from "./scopes.js";
import { createSecret } from "../shared/secrets.js";

const openFor = "interval '10 minutes'";

/** Older requests of a person are deleted. */
const maxPerPerson = 20;

export type RequestOwner = Pick<AuthorizationRequest, "user_id" | "session_hash">;

/** A validated authorization request that waits for the person's decision. */
export type OpenRequest = Omit<
  AuthorizationRequest,
  keyof RequestOwner | "created_at" | "decided_at"
> & {
  /** The name that the app claims. */
  client_name: string | null;
  /** True for Fettle's own clients, which don't register. */
  client_built_in: boolean;
};

export async function createAuthorizationRequest(
  db: Tx,
  request: Omit<OpenRequest, "id" | "client_name" | "client_built_in">,
  owner: RequestOwner,
): Promise<string> {
  const id = createSecret();
  await db.insert(AuthorizationRequest, { id, ...owner, ...request });
  await db.query(
    `DELETE FROM oauth_authorization_requests WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM oauth_authorization_requests WHERE user_id = $1
       ORDER BY created_at DESC, id OFFSET ${maxPerPerson} FOR UPDATE SKIP LOCKED))`,
    [owner.user_id],
  );
  return id;
}

/** Undefined if the request belongs to another person or session, is decided, or has expired. */
export async function findOpenRequest(
  db: Tx,
  id: string,
  owner: RequestOwner,
): Promise<OpenRequest | undefined> {
  const row = await db.maybe<OpenRequest>(
    `SELECT r.id, r.client_id, k.name AS client_name, k.built_in AS client_built_in,
       r.redirect_uri, r.redirect_uri_given, r.state, r.code_challenge, r.resource, r.requested_scopes
     FROM oauth_authorization_requests r
     JOIN oauth_clients k ON k.id = r.client_id
     WHERE r.id = $1 AND r.user_id = $2 AND r.session_hash = $3 AND r.decided_at IS NULL
       AND r.created_at > app_now() - ${openFor}`,
    [id, owner.user_id, owner.session_hash],
  );
  return row && { ...row, requested_scopes: toScopes(row.requested_scopes) };
}

/**
 * Returns true for the first decision only. Returns false for a second click, or if the session has
 * ended. Ending the session from here on waits for the decision.
 */
export async function decideRequest(
  tx: Tx,
  id: string,
  { user_id, session_hash }: RequestOwner,
): Promise<boolean> {
  const decided = await tx.run(
    `UPDATE oauth_authorization_requests SET decided_at = app_now()
     WHERE id = $1 AND user_id = $2 AND session_hash = $3 AND decided_at IS NULL
       AND created_at > app_now() - ${openFor}
       AND EXISTS (SELECT FROM sessions WHERE id_hash = $3 AND user_id = $2 FOR KEY SHARE)`,
    [id, user_id, session_hash],
  );
  return decided === 1;
}

/**
 * Returns true if the person is an active member. Locks membership and account until the
 * transaction ends. A removal, also of the last second factor, then runs entirely before or after.
 */
export async function lockMembership(
  tx: Tx,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const rows = await waitBriefly<unknown[]>(tx, () =>
    tx.query(
      `SELECT 1
       FROM organization_members m
       JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
       WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
       FOR SHARE OF m, u`,
      [organizationId, userId],
    ),
  );
  return rows.length === 1;
}

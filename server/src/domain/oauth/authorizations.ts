import type { Tx } from "../../db/database.js";
import { AuthorizationRequest } from "../../db/entities/oauth.js";
import { waitBriefly } from "../../db/locks.js";
import { toScopes } from "./scopes.js";
import { createSecret } from "../shared/secrets.js";

/** How long a person may look at the consent page. */
const openFor = "interval '10 minutes'";

/** Older ones of a person make way. */
const maxPerPerson = 20;

/** Whose browser a request belongs to: the same person in the same browser session. */
export type RequestOwner = Pick<AuthorizationRequest, "user_id" | "session_hash">;

/** A checked authorization request that waits for its person's decision. */
export type OpenRequest = Omit<
  AuthorizationRequest,
  keyof RequestOwner | "created_at" | "decided_at"
> & {
  /** As the app claims. */
  client_name: string | null;
  /** One of our own, which came with the server and did not register. */
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

/** Undefined when it is somebody else's, of another browser session, decided, or too old. */
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
       AND r.created_at > fettle_now() - ${openFor}`,
    [id, owner.user_id, owner.session_hash],
  );
  return row && { ...row, requested_scopes: toScopes(row.requested_scopes) };
}

/**
 * True for the one caller who decides; a second click gets false, and so does a session that was ended
 * since its request began. Who ends it from here on comes after the decision.
 */
export async function decideRequest(
  tx: Tx,
  id: string,
  { user_id, session_hash }: RequestOwner,
): Promise<boolean> {
  const decided = await tx.run(
    `UPDATE oauth_authorization_requests SET decided_at = fettle_now()
     WHERE id = $1 AND user_id = $2 AND session_hash = $3 AND decided_at IS NULL
       AND created_at > fettle_now() - ${openFor}
       AND EXISTS (SELECT FROM sessions WHERE id_hash = $3 AND user_id = $2 FOR KEY SHARE)`,
    [id, user_id, session_hash],
  );
  return decided === 1;
}

/**
 * Whether the person is an active member now. Holds membership and account until the transaction ends:
 * a removal, also of the last second factor, comes either before this or after everything it does.
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

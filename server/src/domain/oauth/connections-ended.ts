import type { Database, Tx } from "../../db/database.js";
import type { RevokedReason } from "../../db/entities/oauth.js";
import { commit } from "../history/transactions.js";
import { forEachInOwnTransaction } from "../../db/for-each-in-own-transaction.js";
import { endConnection } from "./connections.js";

const maxNotices = 20;

export interface EndedConnection {
  id: string;
  client_name: string;
  organization_name: string;
  ended_at: Date;
  reason: Extract<RevokedReason, "refresh_reuse" | "disconnected" | "expired">;
  /** The admin who ended it, if the account still exists. */
  ended_by: string | null;
}

/**
 * The latest connections of the person that ended in the last 14 days by other means, for a notice.
 */
export async function findEndedByOthers(db: Tx, userId: string): Promise<EndedConnection[]> {
  return db.query(
    `SELECT c.id, coalesce(k.name, k.id) AS client_name, o.name AS organization_name,
       coalesce(c.revoked_at, c.expires_at) AS ended_at,
       coalesce(c.revoked_reason, 'expired') AS reason, a.name AS ended_by
     FROM oauth_connections c
     JOIN oauth_clients k ON k.id = c.client_id
     JOIN organizations o ON o.id = c.organization_id
     LEFT JOIN users a ON a.id = c.revoked_by
     WHERE c.user_id = $1
       AND coalesce(c.revoked_at, c.expires_at) > app_now() - interval '14 days'
       AND coalesce(c.revoked_at, c.expires_at) <= app_now()
       AND (c.revoked_reason IS NULL OR c.revoked_reason IN ('refresh_reuse', 'expired')
         OR (c.revoked_reason = 'disconnected' AND c.revoked_by IS DISTINCT FROM c.user_id))
     ORDER BY ended_at DESC, c.id LIMIT ${maxNotices}`,
    [userId],
  );
}

/** Revokes expired connections and logs each. Their tokens stopped working at expiry. */
export async function endExpiredConnections(db: Database): Promise<void> {
  const expired = await db.query<{
    organization_id: string;
    id: string;
  }>(`SELECT organization_id, id FROM oauth_connections
     WHERE revoked_at IS NULL AND expires_at <= app_now() ORDER BY expires_at LIMIT 1000`);
  await forEachInOwnTransaction(expired, ({ organization_id: organizationId, id: connectionId }) =>
    commit({ db, caller: null }, (tx) =>
      endConnection(tx, { organizationId, connectionId }, "expired"),
    ),
  );
}

import type { Database } from "../../db/database.js";
import type { Confirmation } from "../../db/entities/oauth.js";
import { liveConnectionSql } from "../../db/live-connection.js";

export interface AskedQuestion {
  organizationId: string;
  connectionId: string;
  id: string;
}

/**
 * Stores a client's response to an open question for the node that waits for it. The first response
 * wins. Skips a question that another call has locked, so no database connection waits for the
 * lock.
 */
export async function storeResponse(
  db: Database,
  { organizationId, connectionId, id }: AskedQuestion,
  response: object,
): Promise<void> {
  await db.query(
    `UPDATE confirmations SET response = $4
     WHERE organization_id = $1 AND id IN (SELECT id FROM confirmations
       WHERE organization_id = $1 AND connection_id = $2 AND id = $3 AND response IS NULL
         AND expires_at > app_now() FOR NO KEY UPDATE SKIP LOCKED)`,
    [organizationId, connectionId, id, JSON.stringify(response)],
  );
}

/**
 * Returns the response that another node stored, if any. Returns null if another call used the
 * question or the person lost access.
 */
export async function findResponse(
  db: Database,
  { organizationId, connectionId, id }: AskedQuestion,
): Promise<object | null | undefined> {
  const row = await db.maybe<Pick<Confirmation, "response">>(
    `SELECT q.response FROM confirmations q
     JOIN oauth_connections c ON c.organization_id = q.organization_id AND c.id = q.connection_id
       AND ${liveConnectionSql("c")}
     JOIN users u ON u.id = c.user_id AND u.deactivated_at IS NULL
     WHERE q.organization_id = $1 AND q.connection_id = $2 AND q.id = $3`,
    [organizationId, connectionId, id],
  );
  return row === undefined ? null : (row.response ?? undefined);
}

import type { Tx } from "../../db/database.js";
import type { Connection } from "../../db/entities/oauth.js";
import { AppError } from "../../errors.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { omit } from "../shared/omit.js";
import {
  findConnection,
  hasChangesSql,
  unknownConnection,
  type ConnectionRow,
} from "./connections.js";

/**
 * Returns a live or ended connection to the caller's organization: the caller's own, or any for
 * admins.
 */
export async function getConnectionHere(
  db: Tx,
  caller: Caller,
  connectionId: string,
): Promise<ConnectionRow> {
  const row = await findConnection(db, caller.userId, connectionId, caller);
  if (row === undefined) throw unknownConnection();
  if (row.organization_id !== caller.organizationId) {
    throw new AppError("not_found", "app_of_other_organization", {
      organization: row.organization_name,
    });
  }
  return omit(row, "has_ended");
}

/**
 * Returns the newest connection per app and person, live or ended, with changes that the caller may
 * undo.
 */
export async function findConnectionsToUndo(
  db: Tx,
  caller: Caller,
  clientIds: readonly string[],
): Promise<Pick<Connection, "id" | "client_id" | "user_id">[]> {
  return db.query(
    `SELECT DISTINCT ON (c.client_id, c.user_id) c.id, c.client_id, c.user_id
     FROM oauth_connections c
     WHERE c.organization_id = $1 AND c.client_id = ANY ($2::text[]) AND (c.user_id = $3 OR $4)
       AND ${hasChangesSql("c")}
     ORDER BY c.client_id, c.user_id, c.created_at DESC`,
    [caller.organizationId, clientIds, caller.userId, isOrganizationAdmin(caller)],
  );
}

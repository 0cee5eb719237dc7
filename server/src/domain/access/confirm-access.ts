import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import type { Caller } from "./caller.js";

/**
 * Refuses unless the caller still has the access that was found for the request: account,
 * membership, role, roles in workspaces, and for an app its connection. None of it ends before the
 * transaction does: who ends it waits for the locks. They come last, as who removes a person locks
 * what the person holds before the person.
 */
export async function confirmAccess(tx: EntityManager, caller: Caller): Promise<void> {
  const { organizationId, userId, organizationRole, accessEpoch, connectionId } = caller;
  const rows: unknown[] = await tx.query(
    connectionId === undefined
      ? `${membership} FOR SHARE OF m, u`
      : `${membership} AND EXISTS (SELECT FROM oauth_connections c
           WHERE c.organization_id = $1 AND c.id = $5 AND c.revoked_at IS NULL FOR SHARE) FOR SHARE OF m, u`,
    [
      organizationId,
      userId,
      organizationRole,
      accessEpoch,
      ...(connectionId === undefined ? [] : [connectionId]),
    ],
  );
  if (rows.length === 0) throw new AppError("forbidden", "access_changed");
}

const membership = `SELECT FROM organization_members m
  JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
  WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
    AND m.role = $3 AND m.access_epoch = $4`;

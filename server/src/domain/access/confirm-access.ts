import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import type { Caller } from "./caller.js";

/**
 * Refuses unless the caller still has the access that was found for the request: account,
 * membership, role, roles in workspaces, and for an app its connection. None of it ends before the
 * transaction does: who ends it waits for the locks. They come last, as who removes a person locks
 * what the person holds before the person.
 *
 * That the person was active is noted with it. So whoever sees this version of the membership's row
 * sees all that the person has changed, see `replicas.ts`.
 */
export async function confirmAccess(tx: EntityManager, caller: Caller): Promise<void> {
  const { organizationId, userId, organizationRole, accessEpoch, connectionId } = caller;
  const [, confirmed]: [unknown, number] = await tx.query(
    connectionId === undefined
      ? membership
      : `${membership} AND EXISTS (SELECT FROM oauth_connections c
           WHERE c.organization_id = $1 AND c.id = $5 AND c.revoked_at IS NULL FOR SHARE)`,
    [
      organizationId,
      userId,
      organizationRole,
      accessEpoch,
      ...(connectionId === undefined ? [] : [connectionId]),
    ],
  );
  if (confirmed === 0) throw new AppError("forbidden", "access_changed");
}

// The account first: who changes it confirms the membership afterwards.
const membership = `UPDATE organization_members m SET last_active_at = fettle_now()
  FROM (SELECT FROM users WHERE id = $2 AND deactivated_at IS NULL FOR SHARE) u
  WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
    AND m.role = $3 AND m.access_epoch = $4`;

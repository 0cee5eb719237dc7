import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import type { Caller } from "./caller.js";
import { hashSecret } from "../shared/secrets.js";

/**
 * Refuses unless the caller still has the access that was found for the request: account,
 * membership, role, roles in workspaces, and for an app its connection, for a page its session. None
 * of it ends before the transaction does: who ends it waits for the locks. They come last, as who
 * removes a person locks what the person holds before the person.
 *
 * Where replicas are read, it is noted with it that the person was active: whoever sees this version
 * of the membership's row sees all that the person has changed, see `replicas.ts`. Changes of one
 * person are committed one after the other then.
 */
export async function confirmAccess(tx: Tx, caller: Caller): Promise<void> {
  const { organizationId, userId, organizationRole, accessEpoch } = caller;
  const values = [organizationId, userId, organizationRole, accessEpoch];
  const member = caller.readsReplicas === true ? noteMember : holdMember;
  const [by, ...key] = wayOf(caller);
  const rows = await tx.query(`WITH ${member} SELECT FROM member${by}`, [...values, ...key]);
  if (rows.length === 0) throw new AppError("forbidden", "access_changed");
}

function wayOf({ connectionId, sessionId }: Caller): [sql: string, ...key: unknown[]] {
  if (connectionId !== undefined) return [andConnection, connectionId];
  if (sessionId !== undefined) return [andSession, hashSecret(sessionId)];
  return [""];
}

const conditions = `m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
  AND m.role = $3 AND m.access_epoch = $4`;

const findMember = `SELECT m.user_id FROM organization_members m
  JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
  WHERE ${conditions}`;

/** Membership before account, always: who waits for a membership keeps nobody waiting for the account. */
const holdMember = `member AS (${findMember} FOR SHARE OF m, u)`;

/** Whether the person has that access now: what only reads holds nothing, and waits for nobody. */
export async function hasAccess(
  db: Tx,
  { organizationId, userId, organizationRole, accessEpoch }: Caller,
): Promise<boolean> {
  const values = [organizationId, userId, organizationRole, accessEpoch];
  return (await db.run(findMember, values)) > 0;
}

const noteMember = `noted AS (UPDATE organization_members m SET last_active_at = fettle_now()
    WHERE ${conditions} RETURNING m.user_id),
  member AS (SELECT u.id FROM noted JOIN users u ON u.id = noted.user_id
    WHERE u.deactivated_at IS NULL FOR SHARE OF u)`;

/**
 * After the membership, in the order of who removes the person: otherwise each change that waits for
 * the membership would hold what the removal ends next, and the two would wait for each other.
 */
const andConnection = `, oauth_connections c
  WHERE c.organization_id = $1 AND c.id = $5 AND ${liveConnectionSql("c")} FOR SHARE OF c`;

const andSession = `, sessions s WHERE s.id_hash = $5 FOR KEY SHARE OF s`;

import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { liveTaskLinkSql } from "../../db/live-task-link.js";
import type { Caller } from "./caller.js";
import { hashSecret } from "../shared/secrets.js";

/**
 * Throws unless the caller still has the access that the request began with: account, membership,
 * role, workspace roles, and the connection (apps), the link (contractors) or the session (pages). Locks them until the
 * transaction ends. These locks come last, because removing a person locks the person's data first.
 *
 * If replicas are read, it also records the person as active. Readers of this version of the
 * membership row then see all changes of the person. See `replicas.ts`. Changes by one person commit
 * one after the other.
 */
export async function confirmAccess(tx: Tx, caller: Caller): Promise<void> {
  const { organizationId, userId, organizationRole, accessEpoch } = caller;
  const values = [organizationId, userId, organizationRole, accessEpoch];
  const member = caller.readsReplicas === true ? touchMember : lockMember;
  const [by, ...key] = wayOf(caller);
  const rows = await tx.query(`WITH ${member} SELECT FROM member${by}`, [...values, ...key]);
  if (rows.length === 0) throw new AppError("forbidden", "access_changed");
}

function wayOf({ connectionId, taskLinkId, sessionId }: Caller): [sql: string, ...key: unknown[]] {
  if (connectionId !== undefined) return [andConnection, connectionId];
  if (taskLinkId !== undefined) return [andTaskLink, taskLinkId];
  if (sessionId !== undefined) return [andSession, hashSecret(sessionId)];
  return [""];
}

const conditions = `m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
  AND m.role = $3 AND m.access_epoch = $4`;

const findMember = `SELECT m.user_id FROM organization_members m
  JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
  WHERE ${conditions}`;

/**
 * Always locks the membership before the account. A statement that waits for a membership then
 * blocks no one who needs the account.
 */
const lockMember = `member AS (${findMember} FOR SHARE OF m, u)`;

/** Returns true if the person still has this access. For reads: takes no locks and never waits. */
export async function hasAccess(
  db: Tx,
  { organizationId, userId, organizationRole, accessEpoch }: Caller,
): Promise<boolean> {
  const values = [organizationId, userId, organizationRole, accessEpoch];
  return (await db.run(findMember, values)) > 0;
}

const touchMember = `noted AS (UPDATE organization_members m SET last_active_at = app_now()
    WHERE ${conditions} RETURNING m.user_id),
  member AS (SELECT u.id FROM noted JOIN users u ON u.id = noted.user_id
    WHERE u.deactivated_at IS NULL FOR SHARE OF u)`;

/**
 * Locks the connection after the membership, in the same order as removing a person. Otherwise a
 * change that waits for the membership would deadlock with the removal.
 */
const andConnection = `, oauth_connections c
  WHERE c.organization_id = $1 AND c.id = $5 AND ${liveConnectionSql("c")} FOR SHARE OF c`;

const andTaskLink = `, task_links l
  WHERE l.organization_id = $1 AND l.id = $5 AND ${liveTaskLinkSql("l")} FOR SHARE OF l`;

const andSession = `, sessions s WHERE s.id_hash = $5 FOR KEY SHARE OF s`;

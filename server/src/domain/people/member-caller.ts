import type { Tx } from "../../db/database.js";
import type { Caller, OrganizationRole } from "../access/caller.js";
import { createToken } from "../shared/ids.js";

interface Found {
  user_name: string;
  user_email: string;
  organization_name: string;
  time_zone: string;
  currency: string;
  role: OrganizationRole;
  access_epoch: number;
  member_version: string;
}

/**
 * Returns a person as a caller, for reads on their behalf without a session. Undefined unless
 * account and membership are active.
 */
export async function findMemberCaller(
  db: Tx,
  baseUrl: string,
  { organizationId, userId }: Pick<Caller, "organizationId" | "userId">,
): Promise<Caller | undefined> {
  const row = await db.maybe<Found>(
    `SELECT u.name AS user_name, u.email::text AS user_email, o.name AS organization_name,
       o.time_zone, o.currency, m.role, m.access_epoch, m.xmin::text AS member_version
     FROM organization_members m
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
     JOIN organizations o ON o.id = m.organization_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL`,
    [organizationId, userId],
  );
  if (row === undefined) return undefined;
  return {
    userId,
    userName: row.user_name,
    userEmail: row.user_email,
    organizationId,
    organizationName: row.organization_name,
    organizationRole: row.role,
    timeZone: row.time_zone,
    currency: row.currency,
    accessEpoch: row.access_epoch,
    memberVersion: row.member_version,
    source: "web",
    requestId: `req_${createToken()}`,
    baseUrl,
  };
}

import type { Scope } from "fettle-shared";
import type { Database, Tx } from "../../db/database.js";
import type { AccessToken, Connection } from "../../db/entities/oauth.js";
import type { Organization } from "../../db/entities/organizations.js";
import type { Caller, OrganizationRole } from "../access/caller.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import {
  hasFactorsOfProviderSql,
  lacksItForDestructiveSql,
  lacksSecondFactorSql,
} from "../accounts/second-factor-sql.js";

/** The current access of a valid token: person, organization, app and scopes. */
export interface Grant {
  tokenHash: Buffer;
  /** Lookup time, in milliseconds of `performance.now()`. */
  foundAt: number;
  connectionId: string;
  scopes: Scope[];
  /** The RFC 8707 resource of the token. */
  resource: string;
  clientId: string;
  clientName: string;
  /** The refresh token that can't be repeated once this grant is used. See `endRepeat`. */
  endsRepeatOf: Buffer | null;
  person: Omit<Caller, "source" | "client" | "connectionId" | "requestId" | "baseUrl">;
}

interface GrantRow
  extends
    Pick<AccessToken, "connection_id">,
    Pick<Connection, "resource" | "client_id" | "user_id" | "organization_id">,
    Pick<Organization, "time_zone" | "currency" | "deletion_needs_person"> {
  scopes: Scope[];
  ends_repeat_of: string | null;
  client_name: string | null;
  user_name: string;
  user_email: string;
  organization_name: string;
  organization_role: OrganizationRole;
  access_epoch: number;
  member_version: string;
  lacks_second_factor: boolean;
  lacks_it_for_destructive: boolean;
}

// Returned as one JSON column, because parsing this many column headers costs more than the row.
const toGrantSql = (andWhere: string) =>
  `SELECT to_json(g) AS grant FROM (SELECT c.id AS connection_id, t.scopes, c.resource, c.client_id, k.name AS client_name,
     encode(t.ends_repeat_of, 'hex') AS ends_repeat_of, u.id AS user_id, u.name AS user_name, u.email::text AS user_email,
     o.id AS organization_id, o.name AS organization_name, m.role AS organization_role,
     m.access_epoch, m.xmin::text AS member_version, o.time_zone, o.currency,
     o.deletion_needs_person,
     ${lacksSecondFactorSql("o", "m")}
       AND NOT ${hasFactorsOfProviderSql("o", "m")} AS lacks_second_factor,
     ${lacksItForDestructiveSql("o", "m")}
       AND NOT ${hasFactorsOfProviderSql("o", "m")} AS lacks_it_for_destructive
   FROM oauth_access_tokens t
   JOIN oauth_connections c ON c.organization_id = t.organization_id AND c.id = t.connection_id
     AND ${liveConnectionSql("c")}
   JOIN oauth_clients k ON k.id = c.client_id
   JOIN users u ON u.id = c.user_id AND u.deactivated_at IS NULL
   JOIN organization_members m ON m.organization_id = c.organization_id AND m.user_id = c.user_id
     AND m.removed_at IS NULL
   JOIN organizations o ON o.id = c.organization_id
   WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > app_now()
     ${andWhere}) g`;

// Built once: every request sends one of them.
const findAnywhere = toGrantSql("");
const findInOrganization = toGrantSql("AND t.organization_id = $2");

/**
 * Finds a grant by token hash, and by organization if known. Undefined unless token, connection,
 * account and membership are active. Revocation, deactivation and removal apply from the next
 * request on.
 */
export async function findGrant(
  db: Tx | Database,
  tokenHash: Buffer,
  organizationId?: string,
): Promise<Grant | undefined> {
  const found = await (organizationId === undefined
    ? db.maybe<{ grant: GrantRow }>(findAnywhere, [tokenHash])
    : db.maybe<{ grant: GrantRow }>(findInOrganization, [tokenHash, organizationId]));
  if (found === undefined) return undefined;
  const row = found.grant;
  return {
    tokenHash,
    foundAt: performance.now(),
    connectionId: row.connection_id,
    scopes: row.scopes,
    resource: row.resource,
    clientId: row.client_id,
    clientName: row.client_name ?? row.client_id,
    endsRepeatOf: row.ends_repeat_of === null ? null : Buffer.from(row.ends_repeat_of, "hex"),
    person: {
      userId: row.user_id,
      userName: row.user_name,
      userEmail: row.user_email,
      organizationId: row.organization_id,
      organizationName: row.organization_name,
      organizationRole: row.organization_role,
      timeZone: row.time_zone,
      currency: row.currency,
      accessEpoch: row.access_epoch,
      memberVersion: row.member_version,
      lacksSecondFactor: row.lacks_second_factor,
      lacksItForDestructive: row.lacks_it_for_destructive,
      deletionNeedsPerson: row.deletion_needs_person,
    },
  };
}

/**
 * Records that the connection and its person were active now. Returns true if both rows were
 * unlocked.
 */
export async function touchConnection(
  db: Tx | Database,
  { connectionId, person: { organizationId, userId } }: Grant,
): Promise<boolean> {
  // Two statements, so neither waits for the other's lock. Locked rows are skipped: the next use
  // records them, and no token waits.
  const connections = await db.run(
    `UPDATE oauth_connections SET last_used_at = app_now()
     WHERE organization_id = $1 AND id IN (SELECT id FROM oauth_connections
       WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE SKIP LOCKED)`,
    [organizationId, connectionId],
  );
  const members = await db.run(
    `UPDATE organization_members SET last_active_at = app_now()
     WHERE organization_id = $1 AND user_id IN (SELECT user_id FROM organization_members
       WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE SKIP LOCKED)`,
    [organizationId, userId],
  );
  return connections === 1 && members === 1;
}

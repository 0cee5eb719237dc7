import type { Tx } from "../../db/database.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import type { Caller } from "../access/caller.js";
import { hasSecondFactorSql } from "../accounts/second-factor-sql.js";
import { liveSessionSql } from "../accounts/sessions.js";
import { inviteStatusSql } from "../people/invite-status.js";

export interface OwnSummary {
  has_second_factor: boolean;
  sessions: number;
}

/** The state of the person's settings, for the first page of the settings. */
export async function findOwnSummary(db: Tx, userId: string): Promise<OwnSummary | undefined> {
  return db.maybe(
    `SELECT ${hasSecondFactorSql("u.id")} AS has_second_factor,
       (SELECT count(*)::int FROM sessions WHERE user_id = u.id AND ${liveSessionSql}) AS sessions
     FROM users u WHERE u.id = $1`,
    [userId],
  );
}

export interface OrganizationSummary {
  members: number;
  invitations: number;
  admins_need_second_factor: boolean;
}

/** The state of the organization's settings. For owners and admins. */
export async function findOrganizationSummary(
  db: Tx,
  caller: Caller,
): Promise<OrganizationSummary | undefined> {
  await requireOrganizationAdmin(db, caller, "manage members");
  return db.maybe(
    `SELECT o.admins_need_second_factor,
       (SELECT count(*)::int FROM organization_members m
        WHERE m.organization_id = o.id AND m.removed_at IS NULL) AS members,
       (SELECT count(*)::int FROM invites i
        WHERE i.organization_id = o.id AND ${inviteStatusSql("i")} = 'pending') AS invitations
     FROM organizations o WHERE o.id = $1`,
    [caller.organizationId],
  );
}

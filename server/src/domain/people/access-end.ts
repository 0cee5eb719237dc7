import type { Database, Tx } from "../../db/database.js";
import { OrganizationMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { commit } from "../history/transactions.js";
import { checkWriteQuota } from "../../traffic/write-quota.js";
import { recordActivity, recordCallerActivity, serverName } from "../audit/record-activity.js";
import { checkAccessEnd } from "../organizations/access-end-day.js";
import { getPerson } from "../shared/person-references.js";
import { leaveOrganization } from "./leave-organization.js";
import { forEachInOwnTransaction } from "../../db/for-each-in-own-transaction.js";
import { lockMembersOf } from "../../db/locks.js";
import { isLockTimeout } from "../../db/query-errors.js";
import { lockMemberChanges } from "./member-removal.js";

type AccessEnd = Pick<OrganizationMember, "access_ends_on">;

/** A hash of the last day that a change is based on. */
export function readingOfAccessEnd({ access_ends_on }: AccessEnd): number {
  return contentHash({ access_ends_on });
}

interface NewAccessEnd {
  user_id: string;
  access_ends_on: string | undefined;
  expected?: number | undefined;
}

/** Sets the last day of a membership. Owners can't have one. */
export async function setAccessEnd(
  tx: Tx,
  asking: Caller,
  { user_id, access_ends_on, expected }: NewAccessEnd,
): Promise<{ id: string; name: string; access_ends_on: string | null }> {
  const day = checkAccessEnd(asking, access_ends_on);
  const caller = await lockMemberChanges(tx, asking);
  await requireOrganizationAdmin(tx, caller, "manage members");
  const { id, name, role } = await getPerson(tx, caller, user_id, "user_id", { deactivated: true });
  if (id === caller.userId) throw new AppError("self_removal", "own_access_end", {});
  if (role === "owner" && day !== null) {
    throw new AppError("invalid_transition", "owner_without_end", {
      field: "access_ends_on",
      name,
    });
  }
  const where = { organization_id: caller.organizationId, user_id: id };
  const before = await tx.findOneOrFail(OrganizationMember, { where });
  if (before.access_ends_on !== day) {
    const { access_ends_on: end } = before;
    assertUnchanged("organization", { access_ends_on: end }, expected);
    if (day === null || (end !== null && day > end)) checkWriteQuota(caller);
    await tx.update(OrganizationMember, where, { access_ends_on: day });
    const details = { user_id: id, name, access_ends_on: day };
    await recordCallerActivity(tx, caller, "access_end_changed", details);
  }
  return { id, name, access_ends_on: day };
}

interface Due {
  organization_id: string;
  user_id: string;
  name: string;
}

/**
 * Ends memberships whose last day has passed in the organization's time zone, taking turns between
 * organizations. An organization whose members are locked for long waits for the next run.
 */
export async function endDueMemberships(db: Database): Promise<void> {
  const due = await db.query<Due>(`SELECT m.organization_id, m.user_id, u.name
     FROM organization_members m JOIN users u ON u.id = m.user_id ${ofDueMember}
     ORDER BY row_number() OVER (PARTITION BY m.organization_id ORDER BY m.access_ends_on, m.user_id),
       m.organization_id LIMIT 1000`);
  const busy = new Set<string>();
  await forEachInOwnTransaction(due, async (one) => {
    if (busy.has(one.organization_id)) return;
    try {
      await commit({ db, caller: null }, (tx) => endDueMembership(tx, one));
    } catch (error) {
      if (isLockTimeout(error)) busy.add(one.organization_id);
      throw error;
    }
  });
}

async function endDueMembership(
  tx: Tx,
  { organization_id: organizationId, user_id: id, name }: Due,
): Promise<void> {
  // Longer than bulk changes hold locks, and shorter than a connection may be silent.
  await tx.query("SET LOCAL lock_timeout = '7s'");
  await lockMembersOf(tx, organizationId);
  // Another node may have ended it, or an admin may have extended it.
  const still = await tx.query(
    `SELECT 1 FROM organization_members m ${ofDueMember}
       AND m.organization_id = $1 AND m.user_id = $2`,
    [organizationId, id],
  );
  if (still.length === 0) return;
  await leaveOrganization(tx, { organizationId, userName: serverName }, { id, name });
  await recordActivity(tx, {
    organizationId,
    actorName: serverName,
    type: "member_removed",
    details: { user_id: id, name, access_ended: true },
  });
}

const ofDueMember = `JOIN organizations o ON o.id = m.organization_id
  WHERE m.access_ends_on < (app_now() AT TIME ZONE 'UTC')::date + 1 AND m.removed_at IS NULL
    AND m.access_ends_on < (app_now() AT TIME ZONE o.time_zone)::date AND m.role <> 'owner'`;

import type { Tx } from "../../db/database.js";
import { Organization } from "../../db/entities/organization.js";
import { goOnWith, type Caller, type CountedEpoch } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { checkReading, readingOf } from "../history/readings.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { lockOrganization } from "../../db/locks.js";

/** Whether what apps delete is confirmed by the person on a page of ours. */
export async function getDeletionRule(db: Tx, { organizationId: id }: Caller): Promise<boolean> {
  const found = await db.findOneOrFail(Organization, { where: { id } });
  return found.deletion_needs_person;
}

/** What a change of it was decided on. */
export function readingOfDeletionRule(needsPerson: boolean): number {
  return readingOf({ needsPerson });
}

/** Changes it; answers whether it is another one now. It goes off by no form that was opened before it went on. */
export async function changeDeletionRule(
  tx: Tx,
  caller: Caller,
  needsPerson: boolean,
  expected?: number,
): Promise<boolean> {
  await requireOrganizationAdmin(tx, caller, "decide how apps delete");
  await lockOrganization(tx, caller.organizationId);
  if ((await getDeletionRule(tx, caller)) === needsPerson) return false;
  checkReading("organization", { needsPerson: !needsPerson }, expected);
  const changes = { deletion_needs_person: needsPerson };
  await tx.update(Organization, { id: caller.organizationId }, changes);
  if (needsPerson) await endWhatAppsBegan(tx, caller);
  await recordCallerActivity(tx, caller, "deletion_rule_changed", changes);
  return true;
}

/**
 * What apps began without the person's yes is not committed any more, see `confirmAccess`. The caller, who may
 * have apps too, goes on.
 */
async function endWhatAppsBegan(tx: Tx, caller: Caller): Promise<void> {
  const counted = await tx.query<CountedEpoch>(
    `UPDATE organization_members m SET access_epoch = access_epoch + 1
     WHERE organization_id = $1 AND removed_at IS NULL AND (EXISTS (SELECT FROM oauth_connections c
         WHERE c.organization_id = $1 AND c.user_id = m.user_id AND ${liveConnectionSql("c")})
       -- Its app may get its first token, and begin something, before this is committed.
       OR EXISTS (SELECT FROM oauth_authorization_codes a WHERE a.organization_id = $1
         AND a.user_id = m.user_id AND a.consumed_at IS NULL AND a.expires_at > fettle_now()))
     RETURNING user_id, access_epoch`,
    [caller.organizationId],
  );
  goOnWith(caller, counted);
}

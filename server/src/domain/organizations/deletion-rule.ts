import type { EntityManager } from "typeorm";
import { Organization } from "../../db/entities/organization.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { recordCallerActivity } from "../logs/record-activity.js";
import { lockOrganization } from "../sql/locks.js";

/** Whether what apps delete is confirmed by the person on a page of ours. */
export async function getDeletionRule(
  db: EntityManager,
  { organizationId: id }: Caller,
): Promise<boolean> {
  const found = await db.getRepository(Organization).findOneByOrFail({ id });
  return found.deletion_needs_person;
}

/** Changes it; answers whether it is another one now. */
export async function changeDeletionRule(
  tx: EntityManager,
  caller: Caller,
  needsPerson: boolean,
): Promise<boolean> {
  await requireOrganizationAdmin(tx, caller, "decide how apps delete");
  await lockOrganization(tx, caller.organizationId);
  if ((await getDeletionRule(tx, caller)) === needsPerson) return false;
  const changes = { deletion_needs_person: needsPerson };
  await tx.getRepository(Organization).update({ id: caller.organizationId }, changes);
  await recordCallerActivity(tx, caller, "deletion_rule_changed", changes);
  return true;
}

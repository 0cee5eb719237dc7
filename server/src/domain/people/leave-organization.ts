import type { Tx } from "../../db/database.js";
import type { OrganizationMember } from "../../db/entities/people.js";
import type { Actor } from "../access/caller.js";
import { withdrawInvitesOf } from "./invite-endings.js";
import { lockHoldings, reassignHoldings, type HoldingCount } from "./reassignment.js";
import { createToken } from "../shared/ids.js";
import { lockMembersOf, lockResponsibility } from "../../db/locks.js";
import { endCalendarOf, endMembership, isLastOwner } from "./member-removal.js";

/**
 * Ends a membership on behalf of the server or an operator, like a removal. Clears the person's
 * assignments. Does nothing and returns undefined for the last owner.
 */
export async function leaveOrganization(
  tx: Tx,
  by: Pick<Actor, "organizationId" | "userName">,
  person: { id: string; name: string },
): Promise<HoldingCount | undefined> {
  const requestId = `req_${createToken()}`;
  const actor: Actor = { ...by, userId: null, source: "system", requestId };
  await lockMembersOf(tx, by.organizationId);
  await lockHoldings(tx, actor, person);
  await lockResponsibility(tx, by.organizationId);
  const members = await tx.query<Pick<OrganizationMember, "user_id" | "role">>(
    `SELECT user_id, role FROM organization_members
     WHERE organization_id = $1 AND removed_at IS NULL AND (user_id = $2 OR role = 'owner')
     ORDER BY user_id FOR UPDATE`,
    [by.organizationId, person.id],
  );
  if (isLastOwner(members, person.id)) return undefined;
  await endMembership(tx, actor, person.id);
  const { unassigned } = await reassignHoldings(tx, actor, person, undefined);
  await withdrawInvitesOf(tx, actor, { userId: person.id });
  await endCalendarOf(tx, actor, person.id);
  return unassigned;
}

import type { Tx } from "../../db/database.js";
import type { ActivityEntry } from "../../db/entities/audit.js";
import { OrganizationMember, organizationRoles } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { operatorName, recordActivity, recordCallerActivity } from "../audit/record-activity.js";
import { isOrganizationAdmin, type Caller, type OrganizationRole } from "../access/caller.js";
import { checkWriteQuota } from "../../traffic/write-quota.js";
import type { AccountPerson } from "../accounts/accounts.js";
import { withdrawInvitesOf } from "./invite-endings.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { reassignHoldings, lockHoldings, type Reassignment, type Holder } from "./reassignment.js";
import { lockMembersOf, lockResponsibility, lockRulesShared } from "../../db/locks.js";
import { isLastOwner, lockMemberChanges } from "./member-removal.js";
import { getPerson, type PersonReference } from "../shared/person-references.js";

/**
 * Organization roles that the caller may assign, including the current one. Only owners add or
 * remove owners. People can't change their own role.
 */
export function givableRoles(
  caller: Caller,
  { id, role }: Pick<PersonReference, "id" | "role">,
): OrganizationRole[] {
  if (!isOrganizationAdmin(caller) || id === caller.userId) return [];
  if (caller.organizationRole === "owner") return [...organizationRoles];
  return role === "owner" ? [] : organizationRoles.filter((one) => one !== "owner");
}

export interface RoleChange {
  user_id: string;
  role: OrganizationRole;
  /** The role that the caller saw. Throws if the role has changed since. */
  expected_role?: OrganizationRole | undefined;
  /** The new assignee for work in workspaces that the person can no longer see. */
  reassign_to_user_id?: string | undefined;
}

export interface ChangedRole extends Partial<Reassignment> {
  user: { id: string; name: string };
  from: OrganizationRole;
  to: OrganizationRole;
  newAssignee?: { id: string; name: string };
}

/**
 * Changes a role in the organization. A new member sees only their own workspaces. Their work
 * elsewhere is reassigned or unassigned, and invitations that only an admin may send are withdrawn.
 * The only owner can't be changed, because only another owner could do it.
 */
export async function changeOrganizationRole(
  tx: Tx,
  asking: Caller,
  change: RoleChange,
): Promise<ChangedRole> {
  const caller = await lockMemberChanges(tx, asking);
  await requireOrganizationAdmin(tx, caller, "change roles");
  const found = await getPerson(tx, caller, change.user_id, "user_id", { deactivated: true });
  const newAssignee = await findNewAssignee(tx, caller, found, change);
  const holder: Holder = { id: found.id, name: found.name, elsewhere: true };
  const loses = change.role === "member" && found.role !== "member";
  // Before the memberships, because changes to an asset lock the asset before its assignee.
  if (loses) await lockHoldings(tx, caller, holder);
  // Before the rules: code that assigns people holds this lock as a share, and then takes the next
  // task number.
  await lockResponsibility(tx, caller.organizationId);
  if (change.role !== "member") await lockRulesShared(tx, caller.organizationId);
  const person = await lockPersonAndAssignee(tx, caller, found, newAssignee);
  const user = { id: person.id, name: person.name };
  if (person.role === change.role) return { user, from: person.role, to: person.role };
  requireMayGive(caller, person, change.role);
  if (givesMore(organizationRoles, person.role, change.role)) checkWriteQuota(caller);
  await checkRole(tx, caller, person, change.expected_role);
  await tx.update(
    OrganizationMember,
    { organization_id: caller.organizationId, user_id: person.id },
    withRole(change.role),
  );
  const done = loses ? await reassignHoldings(tx, caller, holder, newAssignee) : undefined;
  if (loses) await withdrawInvitesOf(tx, caller, { userId: person.id });
  await recordCallerActivity(tx, caller, "role_changed", {
    user_id: person.id,
    name: person.name,
    from: person.role,
    to: change.role,
    ...(loses && newAssignee !== undefined && { reassigned_to_user_id: newAssignee.id }),
  });
  return {
    user,
    from: person.role,
    to: change.role,
    ...done,
    ...(loses &&
      newAssignee !== undefined && { newAssignee: { id: newAssignee.id, name: newAssignee.name } }),
  };
}

/**
 * Changes a member's role, for operators, if no owner is left to do it. Can't demote to "member",
 * because the organization must decide about the person's work.
 */
export async function setRoleByOperator(
  tx: Tx,
  organizationId: string,
  person: AccountPerson,
  role: OrganizationRole,
): Promise<{ from: OrganizationRole }> {
  await lockMembersOf(tx, organizationId);
  await lockResponsibility(tx, organizationId);
  await lockRulesShared(tx, organizationId);
  const members = await tx.query<Pick<OrganizationMember, "user_id" | "role">>(
    `SELECT user_id, role FROM organization_members
     WHERE organization_id = $1 AND removed_at IS NULL AND (user_id = $2 OR role = 'owner')
     ORDER BY user_id FOR UPDATE`,
    [organizationId, person.id],
  );
  const { name } = person;
  const from = members.find(({ user_id }) => user_id === person.id)?.role;
  if (from === undefined) throw new AppError("not_found", "no_such_member");
  if (from === role) return { from };
  if (role === "member") throw new AppError("invalid_transition", "demoted_by_operator", { name });
  if (isLastOwner(members, person.id)) throw new AppError("last_owner", "last_owner", { name });
  await tx.update(
    OrganizationMember,
    { organization_id: organizationId, user_id: person.id },
    withRole(role),
  );
  const details = { user_id: person.id, name, from, to: role };
  const activity = {
    organizationId,
    actorName: operatorName,
    type: "role_changed",
    details,
  } as const;
  await recordActivity(tx, activity);
  return { from };
}

async function findNewAssignee(
  tx: Tx,
  caller: Caller,
  person: PersonReference,
  { reassign_to_user_id: reference }: RoleChange,
): Promise<PersonReference | undefined> {
  if (reference === undefined) return undefined;
  const field = "reassign_to_user_id";
  const newAssignee = await getPerson(tx, caller, reference, field);
  if (newAssignee.id !== person.id) return newAssignee;
  throw new AppError("validation_failed", "reassigned_to_same", { field, whose: "role" });
}

/** Locks all people involved, in one order, and reads the current role. */
async function lockPersonAndAssignee(
  tx: Tx,
  caller: Caller,
  person: PersonReference,
  newAssignee: PersonReference | undefined,
): Promise<PersonReference> {
  const rows = await tx.query<Pick<OrganizationMember, "user_id" | "role">>(
    `SELECT user_id, role FROM organization_members
     WHERE organization_id = $1 AND user_id = ANY ($2::text[]) AND removed_at IS NULL
     ORDER BY user_id FOR UPDATE`,
    [
      caller.organizationId,
      [person.id, caller.userId, ...(newAssignee === undefined ? [] : [newAssignee.id])],
    ],
  );
  const present = rows.find(({ user_id }) => user_id === person.id);
  if (present === undefined) throw new Error("The person was removed despite the lock.");
  return { ...person, role: present.role };
}

function requireMayGive(caller: Caller, person: PersonReference, role: OrganizationRole): void {
  if (person.id === caller.userId) throw ownRole("organization_role");
  if (givableRoles(caller, person).includes(role)) return;
  throw new AppError("forbidden", "owner_only", {
    name: person.name,
    is: person.role === "owner",
    present: caller.organizationRole,
  });
}

/**
 * Changes in progress stay rejected, even if the old role returns. Owners have no last day: an
 * earlier one would end the membership when they lose the role.
 */
function withRole(role: OrganizationRole) {
  const given = { role, access_epoch: () => "access_epoch + 1" };
  return role === "owner" ? { ...given, access_ends_on: null } : given;
}

/** Roles are listed from the highest. Callers over their daily write limit can't raise roles. */
export function givesMore<Role>(roles: readonly Role[], from: Role, to: Role): boolean {
  return roles.indexOf(to) < roles.indexOf(from);
}

export function ownRole(field: string): AppError {
  return new AppError("invalid_transition", "own_role", { field });
}

/** Throws if the role has changed meanwhile, and names the person who changed it. */
async function checkRole(
  tx: Tx,
  caller: Caller,
  person: PersonReference,
  expected: OrganizationRole | undefined,
): Promise<void> {
  if (expected === undefined || expected === person.role) return;
  const row = await tx.maybe<Pick<ActivityEntry, "actor_name">>(
    `SELECT actor_name FROM activity_log
     WHERE organization_id = $1 AND type = 'role_changed' AND details ->> 'user_id' = $2
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [caller.organizationId, person.id],
  );
  throw new AppError("conflict", "role_changed", {
    field: "organization_role",
    by: row?.actor_name,
    name: person.name,
    role: person.role,
    expected,
  });
}

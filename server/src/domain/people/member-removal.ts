import { IsNull, type Tx } from "../../db/database.js";
import { CalendarFeed } from "../../db/entities/tasks.js";
import { Notification } from "../../db/entities/messaging.js";
import { Absence, OrganizationMember, WorkspaceMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { getAssignee } from "../shared/assignees.js";
import type { Actor, Caller } from "../access/caller.js";
import { withdrawInvitesOf } from "./invite-endings.js";
import { endConnectionsOf } from "../oauth/connections.js";
import {
  reassignHoldings,
  lockHoldings,
  type Reassignment,
  type HoldingCount,
} from "./reassignment.js";
import { lockMembersOf, lockResponsibility } from "../../db/locks.js";
import { createParameters } from "../../db/parameters.js";
import { getPerson, type PersonReference } from "../shared/person-references.js";
import { requireOrganizationAdmin, requireRoleIn, type WorkspaceRef } from "../access/roles.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { getWorkspace } from "../shared/workspace-references.js";

export interface Removal {
  user_id: string;
  /** The workspace to remove the person from. Otherwise `from_organization` must be true. */
  workspace_id?: string | undefined;
  from_organization?: boolean | undefined;
  reassign_to_user_id?: string | undefined;
}

export interface RemovedUser {
  user: { id: string; name: string };
  /** "organization" or the workspace's name. */
  removed_from: string;
  still_member_of?: { id: string; name: string }[];
  unassigned?: HoldingCount;
  reassigned_to?: { id: string; name: string } & HoldingCount;
  connections_ended?: number;
}

const maxWorkspaces = 10;

/**
 * Ends a person's access to one workspace or the organization, and withdraws related invitations.
 * The account is kept.
 */
export async function removeUser(tx: Tx, asking: Caller, removal: Removal): Promise<RemovedUser> {
  const place = await findPlace(tx, asking, removal);
  const caller = await lockMemberChanges(tx, asking);
  const person = await getPerson(tx, caller, removal.user_id, "user_id", { deactivated: true });
  await requireMayRemove(tx, caller, person, place);
  const holder = { id: person.id, name: person.name, workspaceId: place?.id };
  await lockHoldings(tx, caller, holder);
  const newAssignee = await lockPeople(tx, caller, person, place, removal.reassign_to_user_id);
  const ended =
    place === null
      ? await endMembership(tx, caller, person.id)
      : await leaveWorkspace(tx, caller, person, place);
  const done = await reassignHoldings(tx, caller, holder, newAssignee);
  await withdrawInvitesOf(tx, caller, { userId: person.id, workspaceId: place?.id });
  if (place === null) await endCalendarOf(tx, caller, person.id);
  await recordCallerActivity(tx, caller, "member_removed", {
    user_id: person.id,
    name: person.name,
    ...(place !== null && { workspace_id: place.id, workspace: place.name }),
    ...(newAssignee !== undefined && { reassigned_to_user_id: newAssignee.id }),
  });
  return {
    user: { id: person.id, name: person.name },
    removed_from: place?.name ?? "organization",
    ...ended,
    ...describe(done, newAssignee),
  };
}

/**
 * Runs removals and demotions one after another, because they lock many rows. Returns the caller
 * with their current role. Throws if the caller was removed meanwhile.
 */
export async function lockMemberChanges(tx: Tx, caller: Caller): Promise<Caller> {
  await lockMembersOf(tx, caller.organizationId);
  const member = await tx.findOne(OrganizationMember, {
    where: {
      organization_id: caller.organizationId,
      user_id: caller.userId,
      removed_at: IsNull(),
    },
  });
  if (member === undefined) throw new AppError("forbidden", "no_member_any_more");
  return { ...caller, organizationRole: member.role };
}

/**
 * Null is the whole organization. There is no default, so an omitted argument never removes more.
 */
async function findPlace(tx: Tx, caller: Caller, removal: Removal): Promise<WorkspaceRef> {
  const everywhere = removal.from_organization === true;
  if (everywhere === (removal.workspace_id !== undefined)) {
    throw new AppError("validation_failed", "removed_from_what", { field: "workspace_id" });
  }
  return removal.workspace_id === undefined ? null : getWorkspace(tx, caller, removal.workspace_id);
}

async function requireMayRemove(
  tx: Tx,
  caller: Caller,
  person: PersonReference,
  place: WorkspaceRef,
): Promise<void> {
  if (place !== null) {
    await requireRoleIn(tx, caller, place, "admin", "remove people");
  } else {
    await requireOrganizationAdmin(tx, caller, "remove people");
    if (person.role === "owner" && caller.organizationRole !== "owner") {
      throw new AppError("forbidden", "removes_owner", { name: person.name });
    }
  }
  if (person.id === caller.userId) {
    throw new AppError("self_removal", "removes_self", { field: "user_id" });
  }
}

/**
 * Locks the memberships of the person, the new assignee and, when an owner is removed, all owners,
 * in one order. Only one owner removal gets this far at a time. The last-owner check holds even if
 * that changes.
 */
async function lockPeople(
  tx: Tx,
  caller: Caller,
  person: PersonReference,
  place: WorkspaceRef,
  reassignTo: string | undefined,
): Promise<PersonReference | undefined> {
  const field = "reassign_to_user_id";
  const named =
    reassignTo === undefined ? undefined : await getPerson(tx, caller, reassignTo, field);
  if (named?.id === person.id) {
    throw new AppError("validation_failed", "reassigned_to_same", { field, whose: "removal" });
  }
  await lockResponsibility(tx, caller.organizationId);
  const members = await tx.query<Pick<OrganizationMember, "user_id" | "role">>(
    `SELECT user_id, role FROM organization_members
     WHERE organization_id = $1 AND removed_at IS NULL
       AND (user_id = ANY ($2::text[]) OR ($3 AND role = 'owner'))
     ORDER BY user_id FOR UPDATE`,
    [
      caller.organizationId,
      [person.id, ...(named === undefined ? [] : [named.id])],
      place === null && person.role === "owner",
    ],
  );
  const present = members.find(({ user_id }) => user_id === person.id);
  // Removed meanwhile. Returns the error of a second call.
  if (present === undefined) await getPerson(tx, caller, person.id, "user_id", { lock: true });
  if (place === null && isLastOwner(members, person.id)) {
    const details = { field: "user_id", name: person.name };
    throw new AppError("last_owner", "last_owner", details);
  }
  if (reassignTo === undefined) return undefined;
  return getAssignee(tx, caller, reassignTo, place, field);
}

export function isLastOwner(
  members: readonly Pick<OrganizationMember, "user_id" | "role">[],
  userId: string,
): boolean {
  const owners = members.filter(({ role }) => role === "owner");
  return owners.length === 1 && owners[0]?.user_id === userId;
}

/** From the next request on, the person's tokens don't work for the organization. */
export async function endMembership(
  tx: Tx,
  { organizationId, userId: by }: Pick<Actor, "organizationId" | "userId">,
  userId: string,
): Promise<Pick<RemovedUser, "connections_ended">> {
  const membership = { organization_id: organizationId, user_id: userId };
  await tx.update(OrganizationMember, membership, {
    removed_at: () => "app_now()",
    weekly_minutes: null,
    working_days: null,
  });
  const member = { organizationId, userId, ...(by !== null && { revokedBy: by }) };
  const connections_ended = await endConnectionsOf(tx, member);
  await tx.delete(WorkspaceMember, membership);
  await tx.delete(Absence, membership);
  await tx.delete(Notification, membership);
  return { connections_ended };
}

/**
 * Runs at the end of a removal. Password changes delete calendars too and must not wait for the
 * whole removal.
 */
export async function endCalendarOf(
  tx: Tx,
  { organizationId: organization_id }: Pick<Actor, "organizationId">,
  user_id: string,
): Promise<void> {
  await tx.delete(CalendarFeed, { organization_id, user_id });
}

async function leaveWorkspace(
  tx: Tx,
  caller: Caller,
  person: PersonReference,
  place: { id: string; name: string },
): Promise<Pick<RemovedUser, "still_member_of">> {
  const affected = await tx.delete(WorkspaceMember, {
    organization_id: caller.organizationId,
    workspace_id: place.id,
    user_id: person.id,
  });
  if (affected === 0) throw notInWorkspace(person, place);
  const parameters = createParameters(caller.organizationId, person.id);
  const left = await tx.query<{ id: string; name: string }>(
    `SELECT w.id, w.name::text AS name FROM workspace_members wm
     JOIN workspaces w ON w.organization_id = wm.organization_id AND w.id = wm.workspace_id
     WHERE wm.organization_id = $1 AND wm.user_id = $2
       AND ${visibleWorkspaceSql(caller, parameters, "w.id")}
     ORDER BY w.name LIMIT ${maxWorkspaces}`,
    parameters.values,
  );
  return { still_member_of: left };
}

function notInWorkspace(person: PersonReference, place: { name: string }): AppError {
  const { name, role } = person;
  const details = { field: "user_id", name, workspace: place.name };
  return role === "member"
    ? new AppError("not_found", "not_in_workspace", { ...details, action: "remove" })
    : new AppError("invalid_transition", "sees_every_workspace", { ...details, role });
}

function describe(
  { unassigned, reassigned }: Reassignment,
  newAssignee: PersonReference | undefined,
): Pick<RemovedUser, "unassigned" | "reassigned_to"> {
  if (newAssignee === undefined) return { unassigned };
  return {
    reassigned_to: { id: newAssignee.id, name: newAssignee.name, ...reassigned },
    ...(unassigned.tasks + unassigned.assets > 0 && { unassigned }),
  };
}

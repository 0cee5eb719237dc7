import type { Tx } from "../../db/database.js";
import { WorkspaceMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import type { PlainText } from "../../language/texts.js";
import { isOrganizationAdmin, type Caller, type WorkspaceRole } from "./caller.js";
import type { Parameters } from "../../db/parameters.js";
import type { WhomToAsk } from "../shared/common-texts.js";

/** A workspace's id and name. Null for assets without a workspace. */
export type WorkspaceRef = { id: string; name: string } | null;

export function workspaceRefOf(asset: {
  workspace_id: string | null;
  workspace_name: string | null;
}): WorkspaceRef {
  if (asset.workspace_id === null) return null;
  return { id: asset.workspace_id, name: asset.workspace_name ?? "" };
}

const rank: Record<WorkspaceRole, number> = { viewer: 0, member: 1, admin: 2 };

/** SQL for the caller's role in a workspace. Organization admins are admin everywhere. */
export function ownRoleSql(caller: Caller, parameters: Parameters, workspaceId: string): string {
  if (isOrganizationAdmin(caller)) return "'admin'";
  return `(SELECT m.role FROM workspace_members m
    WHERE m.organization_id = $1 AND m.workspace_id = ${workspaceId}
      AND m.user_id = ${parameters.add(caller.userId)})`;
}

/** SQL condition: the member's role in the workspace passes `requireRoleIn` for "member". */
export function isMemberInSql(userId: string, workspaceId: string): string {
  return `EXISTS (SELECT 1 FROM workspace_members own
    WHERE own.organization_id = $1 AND own.user_id = ${userId}
      AND own.workspace_id = ${workspaceId} AND own.role <> 'viewer')`;
}

async function findWorkspaceRole(
  db: Tx,
  caller: Caller,
  workspaceId: string,
): Promise<WorkspaceRole | undefined> {
  if (isOrganizationAdmin(caller)) return "admin";
  const { knownRole: known, organizationId: organization_id, userId: user_id } = caller;
  if (known?.place === placeOf(caller, workspaceId)) return known.role;
  const where = { organization_id, user_id, workspace_id: workspaceId };
  return (await db.findOne(WorkspaceMember, { where }))?.role;
}

/**
 * Caches the role to save the next query. If the role was reduced meanwhile, `confirmAccess`
 * rejects the change.
 */
export function noteWorkspaceRole(
  caller: Caller,
  workspaceId: string | null,
  role: WorkspaceRole | null,
): void {
  if (workspaceId === null || role === null) return;
  caller.knownRole = { place: placeOf(caller, workspaceId), role };
}

function placeOf({ organizationId, accessEpoch }: Caller, workspaceId: string): string {
  return `${organizationId} ${workspaceId} ${accessEpoch}`;
}

/**
 * Returns the roles that pass `requireRoleIn` in a place. Pages use it to offer only allowed
 * actions.
 */
export async function findRightsIn(
  db: Tx,
  caller: Caller,
  place: WorkspaceRef,
): Promise<Record<"member" | "admin", boolean>> {
  if (place === null) {
    const isAdmin = isOrganizationAdmin(caller);
    return { member: isAdmin, admin: isAdmin };
  }
  const role = await findWorkspaceRole(db, caller, place.id);
  const has = (least: WorkspaceRole) => role !== undefined && rank[role] >= rank[least];
  return { member: has("member"), admin: has("admin") };
}

/** Checks a role in many places with one query. */
export async function findPlacesWithRole(
  db: Tx,
  caller: Caller,
  least: "member" | "admin",
): Promise<(place: WorkspaceRef) => boolean> {
  if (isOrganizationAdmin(caller)) return () => true;
  const { organizationId: organization_id, userId: user_id } = caller;
  const rows = await db.find(WorkspaceMember, { where: { organization_id, user_id } });
  const places = new Set(
    rows.filter(({ role }) => rank[role] >= rank[least]).map((row) => row.workspace_id),
  );
  return (place) => place !== null && places.has(place.id);
}

/** The action that needs a role: "add assets", or a verb and its field. */
export type Action = PlainText | readonly [verb: PlainText, field: string];

/**
 * Throws if the caller's role in the workspace is too low. Only organization admins may change
 * assets without a workspace.
 */
export async function requireRoleIn(
  db: Tx,
  caller: Caller,
  place: WorkspaceRef,
  least: "member" | "admin",
  action: Action,
): Promise<void> {
  if (place === null) return requireOrganizationAdmin(db, caller, action, { outside: true });
  if (least === "admin" && isOrganizationAdmin(caller)) requireSecondFactor(caller);
  const role = await findWorkspaceRole(db, caller, place.id);
  if (role !== undefined && rank[role] >= rank[least]) return;
  throw new AppError("forbidden", "role_too_low", {
    ...actionOf(action),
    place: place.name,
    present: role,
    needed: least === "member" ? "member or admin" : "admin",
    ask: await findWhomToAsk(db, caller, [place.id]),
  });
}

export async function requireOrganizationAdmin(
  db: Tx,
  caller: Caller,
  action: Action,
  { outside = false } = {},
): Promise<void> {
  if (isOrganizationAdmin(caller)) {
    requireSecondFactor(caller);
    return;
  }
  throw new AppError("forbidden", "role_too_low", {
    ...actionOf(action),
    outside,
    place: undefined,
    present: "member",
    needed: "admin or owner",
    ask: await findWhomToAsk(db, caller),
  });
}

/**
 * Throws for members who are at most viewers in every workspace. The error names the workspace
 * admins.
 */
export async function requireMemberSomewhere(
  db: Tx,
  caller: Caller,
  action: PlainText,
): Promise<void> {
  if (isOrganizationAdmin(caller)) return;
  const { organizationId: organization_id, userId: user_id } = caller;
  const memberships = await db.find(WorkspaceMember, { where: { organization_id, user_id } });
  if (memberships.some(({ role }) => role !== "viewer")) return;
  const places = memberships.map(({ workspace_id }) => workspace_id);
  throw new AppError("forbidden", "views_only", {
    action,
    workspaces: places.length,
    ask: await findWhomToAsk(db, caller, places),
  });
}

/** True for admins of the organization and of any workspace. */
export async function isAdminSomewhere(db: Tx, caller: Caller): Promise<boolean> {
  if (isOrganizationAdmin(caller)) return true;
  const { organizationId: organization_id, userId: user_id } = caller;
  return db.exists(WorkspaceMember, { organization_id, user_id, role: "admin" });
}

export async function requireAdminSomewhere(
  db: Tx,
  caller: Caller,
  action: PlainText,
): Promise<void> {
  if (!isOrganizationAdmin(caller) && (await isAdminSomewhere(db, caller))) return;
  await requireOrganizationAdmin(db, caller, action);
}

/** Required for changes to people's accounts. */
export async function requireOrganizationOwner(
  db: Tx,
  caller: Caller,
  action: Action,
): Promise<void> {
  if (caller.organizationRole === "owner") {
    requireSecondFactor(caller);
    return;
  }
  throw new AppError("forbidden", "role_too_low", {
    ...actionOf(action),
    place: undefined,
    present: caller.organizationRole,
    needed: "owner",
    ask: { of: "owners", names: await findOwnerNames(db, caller) },
  });
}

export function requireSecondFactor(caller: Caller): void {
  if (caller.lacksSecondFactor === true) {
    throw new AppError("forbidden", "second_factor_needed");
  }
}

function actionOf(action: Action) {
  return typeof action === "string" ? { action } : { action: action[0], otherField: action[1] };
}

/** Names up to three people who could take the action or change the role. */
async function findWhomToAsk(
  db: Tx,
  caller: Caller,
  workspaceIds: readonly string[] = [],
): Promise<WhomToAsk> {
  if (workspaceIds.length > 0) {
    const admins = await db.query<{ name: string }>(
      `SELECT u.name FROM workspace_members wm
       JOIN organization_members m ON m.organization_id = wm.organization_id
         AND m.user_id = wm.user_id AND m.removed_at IS NULL
       JOIN users u ON u.id = wm.user_id AND u.deactivated_at IS NULL
       WHERE wm.organization_id = $1 AND wm.workspace_id = ANY($2) AND wm.role = 'admin'
       GROUP BY u.name, u.id ORDER BY u.name, u.id LIMIT 3`,
      [caller.organizationId, workspaceIds],
    );
    if (admins.length > 0) return { of: "workspace", names: namesOf(admins) };
  }
  const admins = await db.query<{ name: string }>(
    `SELECT u.name FROM organization_members m
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
     WHERE m.organization_id = $1 AND m.role <> 'member' AND m.removed_at IS NULL
     ORDER BY u.name, u.id LIMIT 3`,
    [caller.organizationId],
  );
  return { of: "organization", names: namesOf(admins) };
}

async function findOwnerNames(db: Tx, caller: Caller): Promise<string[]> {
  const owners = await db.query<{ name: string }>(
    `SELECT u.name FROM organization_members m
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
     WHERE m.organization_id = $1 AND m.role = 'owner' AND m.removed_at IS NULL
     ORDER BY u.name, u.id LIMIT 3`,
    [caller.organizationId],
  );
  return namesOf(owners);
}

function namesOf(people: { name: string }[]): string[] {
  return people.map(({ name }) => name);
}

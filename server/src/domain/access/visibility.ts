import { isOrganizationAdmin, type Caller, type WorkspaceRole } from "./caller.js";
import type { Parameters } from "../../db/parameters.js";

/*
 * The one place that says what a caller may see: owners and admins everything; members the
 * workspaces they belong to, and assets that are not placed. Each function returns a condition for
 * a statement whose $1 is the organization; there are two texts, one for each of these groups.
 */

const everything = "TRUE";

/** `workspaceId` is an SQL expression; it is never NULL for a row that passes. */
export function visibleWorkspaceSql(
  caller: Caller,
  parameters: Parameters,
  workspaceId: string,
): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `${workspaceId} = ANY (${ownWorkspacesSql(caller, parameters)})`;
}

/** `invite` is the alias of an invites row: workspace admins see those to their workspaces. */
export function visibleInviteSql(caller: Caller, parameters: Parameters, invite: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `${invite}.workspace_id = ANY (${ownWorkspacesSql(caller, parameters, "admin")})`;
}

/** `asset` is the alias of an assets row. */
export function visibleAssetSql(caller: Caller, parameters: Parameters, asset: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `(${asset}.workspace_id IS NULL OR ${asset}.workspace_id = ANY (${ownWorkspacesSql(caller, parameters)}))`;
}

/** Whether the caller sees the asset $2: said by each statement about it, as it may move between two. */
export function isVisibleAssetSql(caller: Caller, parameters: Parameters): string {
  return `EXISTS (SELECT FROM assets a WHERE a.organization_id = $1 AND a.id = $2
    AND ${visibleAssetSql(caller, parameters, "a")})`;
}

/** The same of the task $2. */
export function isVisibleTaskSql(caller: Caller, parameters: Parameters): string {
  return `EXISTS (SELECT FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.id = $2
    AND ${visibleTaskSql(caller, parameters, "t")})`;
}

/** `figure` is the alias of a figures row, which adds to what the caller sees; `each` is of one workspace. */
export function visibleFigureSql(
  caller: Caller,
  parameters: Parameters,
  figure: string,
  { each }: { each: boolean },
): string {
  if (isOrganizationAdmin(caller))
    return each ? `${figure}.level IN (0, 1)` : `${figure}.level IN (0, 2)`;
  return `(${figure}.level IN (0, 1)
    AND ${figure}.workspace_id = ANY (${ownPlacesSql(caller, parameters)}))`;
}

/** Makes one query of a query about each place, which it is given as a condition. */
export type EachPlace = (query: (place: string) => string) => string;

/**
 * Asks about everything that the caller sees, or for members about each of their workspaces and what
 * is not placed `separately`: each has an index of its own order. `thing` is the alias of an assets or
 * maintenance_tasks row.
 */
export function visiblePlaces(
  caller: Caller,
  parameters: Parameters,
  thing: string,
  { separately }: { separately: boolean },
): EachPlace {
  if (!separately || isOrganizationAdmin(caller)) {
    return (query) => query(visibleAssetSql(caller, parameters, thing));
  }
  return (query) => `SELECT placed.* FROM unnest(${ownWorkspacesSql(caller, parameters)}) own (id),
      LATERAL (${query(`${thing}.workspace_id = own.id`)}) placed
    UNION ALL (${query(`${thing}.workspace_id IS NULL`)})`;
}

/** `task` is the alias of a maintenance_tasks row, which is always where its asset is. */
export function visibleTaskSql(caller: Caller, parameters: Parameters, task: string): string {
  return visibleAssetSql(caller, parameters, task);
}

/** The same for those that the caller may change: what is in no workspace is the matter of admins. */
export function changeableAssetSql(caller: Caller, parameters: Parameters, asset: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `EXISTS (SELECT 1 FROM workspace_members own
    WHERE own.organization_id = $1 AND own.user_id = ${parameters.add(caller.userId)}
      AND own.workspace_id = ${asset}.workspace_id AND own.role <> 'viewer')`;
}

/** `file` is the alias of a files row: whoever sees what it belongs to sees it. */
export function visibleFileSql(caller: Caller, parameters: Parameters, file: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `(EXISTS (SELECT 1 FROM assets thing
      WHERE thing.organization_id = $1 AND thing.id = ${file}.asset_id
        AND ${visibleAssetSql(caller, parameters, "thing")})
    OR EXISTS (SELECT 1 FROM maintenance_tasks work
      WHERE work.organization_id = $1 AND work.id = ${file}.task_id
        AND ${visibleTaskSql(caller, parameters, "work")}))`;
}

/**
 * `event` is the alias of a history_events row: what happened to a thing is seen by whoever sees the
 * thing today, wherever it was then; events of work on a place go with the work.
 */
export function visibleEventSql(caller: Caller, parameters: Parameters, event: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `${event}.visible_in = ANY (${ownPlacesSql(caller, parameters)})`;
}

/**
 * As `visiblePlaces`, for events; what is not placed is one more place. The index of words is gone through
 * once for each place: `inRows` looks at the places of what was found by words instead.
 */
export function visibleEventPlaces(
  caller: Caller,
  parameters: Parameters,
  event: string,
  { separately, inRows = false }: { separately: boolean; inRows?: boolean },
): EachPlace {
  if (!separately || isOrganizationAdmin(caller)) {
    const visible = visibleEventSql(caller, parameters, event);
    return (query) => query(inRows ? `(${visible}) IS TRUE` : visible);
  }
  return (query) => `SELECT placed.* FROM unnest(${ownPlacesSql(caller, parameters)}) own (id),
    LATERAL (${query(`${event}.visible_in = own.id`)}) placed`;
}

/** `member` is the alias of an organization_members row: oneself, admins, and people of own workspaces. */
export function visibleMemberSql(caller: Caller, parameters: Parameters, member: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `(${member}.user_id = ${parameters.add(caller.userId)} OR ${member}.role <> 'member'
    OR EXISTS (SELECT 1 FROM workspace_members other
      WHERE other.organization_id = $1 AND other.user_id = ${member}.user_id
        AND other.workspace_id = ANY (${ownWorkspacesSql(caller, parameters)})))`;
}

/** `user` is the alias of a users row: deactivated accounts are the business of admins. */
export function visibleAccountSql(caller: Caller, user: string): string {
  return isOrganizationAdmin(caller) ? everything : `${user}.deactivated_at IS NULL`;
}

/** `user` is the alias of a users row: admins, and who is more than a viewer somewhere, see emails. */
export function visibleEmailSql(caller: Caller, { add }: Parameters, user: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  const self = add(caller.userId);
  return `(${user}.id = ${self} OR EXISTS (SELECT 1 FROM workspace_members own
      WHERE own.organization_id = $1 AND own.user_id = ${self} AND own.role <> 'viewer'))`;
}

/** With what is not placed, which figures and events have as a place. */
function ownPlacesSql(caller: Caller, parameters: Parameters): string {
  return `(${ownWorkspacesSql(caller, parameters)} || ''::text)`;
}

// An array from a subquery is worked out once for a statement, not for each row.
function ownWorkspacesSql(caller: Caller, parameters: Parameters, role?: WorkspaceRole): string {
  const inRole = role === undefined ? "" : ` AND own.role = '${role}'`;
  return `ARRAY(SELECT own.workspace_id FROM workspace_members own
    WHERE own.organization_id = $1 AND own.user_id = ${parameters.add(caller.userId)}${inRole})`;
}

import { isOrganizationAdmin, type Caller, type WorkspaceRole } from "./caller.js";
import type { Parameters } from "../../db/parameters.js";
import { isMemberInSql } from "./roles.js";

/*
 * The only place that defines which rows a caller may see. Owners and admins see everything.
 * Members see their workspaces and assets without a workspace. Each function returns an SQL
 * condition for a statement whose $1 is the organization. The SQL has two variants, one per group.
 */

const everything = "TRUE";

/** `workspaceId` is an SQL expression. It is never NULL for a matching row. */
export function visibleWorkspaceSql(
  caller: Caller,
  parameters: Parameters,
  workspaceId: string,
): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `${workspaceId} = ANY (${ownWorkspacesSql(caller, parameters)})`;
}

/** `invite` is the alias of an invites row. Workspace admins see invites to their workspaces. */
export function visibleInviteSql(caller: Caller, parameters: Parameters, invite: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `${invite}.workspace_id = ANY (${ownWorkspacesSql(caller, parameters, "admin")})`;
}

/** `asset` is the alias of an assets row. */
export function visibleAssetSql(caller: Caller, parameters: Parameters, asset: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `(${asset}.workspace_id IS NULL OR ${asset}.workspace_id = ANY (${ownWorkspacesSql(caller, parameters)}))`;
}

/**
 * SQL condition: the caller sees asset $2. Every statement about the asset needs it, because the
 * asset may move between two statements.
 */
export function isVisibleAssetSql(caller: Caller, parameters: Parameters): string {
  return `EXISTS (SELECT FROM assets a WHERE a.organization_id = $1 AND a.id = $2
    AND ${visibleAssetSql(caller, parameters, "a")})`;
}

/** SQL condition: the caller sees task $2. */
export function isVisibleTaskSql(caller: Caller, parameters: Parameters): string {
  return `EXISTS (SELECT FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.id = $2
    AND ${visibleTaskSql(caller, parameters, "t")})`;
}

/**
 * `figure` is the alias of a figures row that counts for the caller. With `each`, each row covers
 * one workspace.
 */
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

/**
 * Combines the queries for each place into one query. `query` receives each place as a condition.
 */
export type EachPlace = (query: (place: string) => string) => string;

/**
 * Queries everything the caller sees. With `separately`, it queries each of a member's workspaces
 * and the assets without a workspace, because the index is ordered within each. `thing` is the
 * alias of an assets or maintenance_tasks row.
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

/** `task` is the alias of a maintenance_tasks row. A task is always in its asset's workspace. */
export function visibleTaskSql(caller: Caller, parameters: Parameters, task: string): string {
  return visibleAssetSql(caller, parameters, task);
}

/**
 * SQL condition for assets that the caller may change. Only admins change assets without a
 * workspace.
 */
export function changeableAssetSql(caller: Caller, parameters: Parameters, asset: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return isMemberInSql(parameters.add(caller.userId), `${asset}.workspace_id`);
}

/** `file` is the alias of a files row. A file is visible with its asset, task or reported place. */
export function visibleFileSql(caller: Caller, parameters: Parameters, file: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `(EXISTS (SELECT 1 FROM assets thing
      WHERE thing.organization_id = $1 AND thing.id = ${file}.asset_id
        AND ${visibleAssetSql(caller, parameters, "thing")})
    OR EXISTS (SELECT 1 FROM maintenance_tasks work
      WHERE work.organization_id = $1 AND work.id = ${file}.task_id
        AND ${visibleTaskSql(caller, parameters, "work")})
    OR EXISTS (SELECT FROM problem_reports said
      JOIN place_labels place ON place.organization_id = $1 AND place.id = said.place_id
      WHERE said.organization_id = $1 AND said.id = ${file}.report_id
        AND ${visibleWorkspaceSql(caller, parameters, "place.workspace_id")}))`;
}

/**
 * `event` is the alias of a history_events row. An event is visible where its asset or task is
 * today, wherever it happened. Events of work on a place follow the work.
 */
export function visibleEventSql(caller: Caller, parameters: Parameters, event: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `${event}.visible_in = ANY (${ownPlacesSql(caller, parameters)})`;
}

/**
 * Like `visiblePlaces`, for events. Events without a workspace are one more place. The word index
 * is scanned once per place. With `inRows`, the rows found by words are filtered by place instead.
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

/**
 * `member` is the alias of an organization_members row. Members see themselves, admins and people
 * in their workspaces.
 */
export function visibleMemberSql(caller: Caller, parameters: Parameters, member: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  return `(${member}.user_id = ${parameters.add(caller.userId)} OR ${member}.role <> 'member'
    OR EXISTS (SELECT 1 FROM workspace_members other
      WHERE other.organization_id = $1 AND other.user_id = ${member}.user_id
        AND other.workspace_id = ANY (${ownWorkspacesSql(caller, parameters)})))`;
}

/** `user` is the alias of a users row. Only admins see deactivated accounts. */
export function visibleAccountSql(caller: Caller, user: string): string {
  return isOrganizationAdmin(caller) ? everything : `${user}.deactivated_at IS NULL`;
}

/**
 * `user` is the alias of a users row. Emails are visible to admins, to people above viewer in some
 * workspace, and to their owner.
 */
export function visibleEmailSql(caller: Caller, { add }: Parameters, user: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  const self = add(caller.userId);
  return `(${user}.id = ${self} OR EXISTS (SELECT 1 FROM workspace_members own
      WHERE own.organization_id = $1 AND own.user_id = ${self} AND own.role <> 'viewer'))`;
}

/** The caller's workspaces plus `''`, the place of figures and events without a workspace. */
function ownPlacesSql(caller: Caller, parameters: Parameters): string {
  return `(${ownWorkspacesSql(caller, parameters)} || ''::text)`;
}

// PostgreSQL evaluates an array subquery once per statement, not once per row.
function ownWorkspacesSql(caller: Caller, parameters: Parameters, role?: WorkspaceRole): string {
  const inRole = role === undefined ? "" : ` AND own.role = '${role}'`;
  return `ARRAY(SELECT own.workspace_id FROM workspace_members own
    WHERE own.organization_id = $1 AND own.user_id = ${parameters.add(caller.userId)}${inRole})`;
}

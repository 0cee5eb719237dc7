import { isOrganizationAdmin, type Caller, type WorkspaceRole } from "./caller.js";
import type { Parameters } from "../sql/parameters.js";

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

/** `figure` is the alias of a figures row, which adds to what the caller sees; `each` is of one workspace. */
export function visibleFigureSql(
  caller: Caller,
  parameters: Parameters,
  figure: string,
  { each }: { each: boolean },
): string {
  if (isOrganizationAdmin(caller))
    return each ? `${figure}.level IN (0, 1)` : `${figure}.level IN (0, 2)`;
  return `(${figure}.level IN (0, 1) AND (${figure}.workspace_id = ''
    OR ${figure}.workspace_id = ANY (${ownWorkspacesSql(caller, parameters)})))`;
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

/**
 * `event` is the alias of a history_events row: what happened to a thing is seen by whoever sees the
 * thing today, wherever it was then; events of work on a place go with the work.
 */
export function visibleEventSql(caller: Caller, parameters: Parameters, event: string): string {
  if (isOrganizationAdmin(caller)) return everything;
  const { asset, task } = visibleSubjects(caller, parameters, event);
  return `(EXISTS (SELECT 1 ${asset.rows} AND ${asset.isVisible})
    OR (${event}.asset_id IS NULL AND EXISTS (SELECT 1 ${task.rows} AND ${task.isVisible})))`;
}

/**
 * The same with a look-up for each event, where few events are looked at: as EXISTS, everything that
 * the caller sees may be collected first.
 */
export function visibleEventOneByOneSql(
  caller: Caller,
  parameters: Parameters,
  event: string,
): string {
  if (isOrganizationAdmin(caller)) return everything;
  const { asset, task } = visibleSubjects(caller, parameters, event);
  return `CASE WHEN ${event}.asset_id IS NOT NULL THEN (SELECT ${asset.isVisible} ${asset.rows})
    ELSE (SELECT ${task.isVisible} ${task.rows}) END`;
}

function visibleSubjects(caller: Caller, parameters: Parameters, event: string) {
  return {
    asset: {
      rows: `FROM assets thing WHERE thing.organization_id = $1 AND thing.id = ${event}.asset_id`,
      isVisible: visibleAssetSql(caller, parameters, "thing"),
    },
    task: {
      rows: `FROM maintenance_tasks work
        WHERE work.organization_id = $1 AND work.id = ${event}.task_id`,
      isVisible: visibleTaskSql(caller, parameters, "work"),
    },
  };
}

/**
 * What follows FROM to have a row for every event that the caller sees, in no order: for members by
 * way of what they see, which may be little of all that happened. OFFSET keeps to that way.
 */
export function visibleEventsSql(caller: Caller, parameters: Parameters): string {
  if (isOrganizationAdmin(caller)) return "history_events e WHERE e.organization_id = $1";
  const eventsOf = (subject: string) =>
    `LATERAL (SELECT FROM history_events e WHERE e.organization_id = $1 AND ${subject} OFFSET 0) e`;
  return `(SELECT FROM workspace_members own, LATERAL (SELECT thing.id FROM assets thing
        WHERE thing.organization_id = $1 AND thing.workspace_id = own.workspace_id OFFSET 0) thing,
      ${eventsOf("e.asset_id = thing.id")}
      WHERE own.organization_id = $1 AND own.user_id = ${parameters.add(caller.userId)}
    UNION ALL
    SELECT FROM assets thing, ${eventsOf("e.asset_id = thing.id")}
      WHERE thing.organization_id = $1 AND thing.workspace_id IS NULL
    UNION ALL
    SELECT FROM maintenance_tasks work, ${eventsOf("e.asset_id IS NULL AND e.task_id = work.id")}
      WHERE work.organization_id = $1 AND work.asset_id IS NULL
        AND ${visibleTaskSql(caller, parameters, "work")}) e`;
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

// An array from a subquery is worked out once for a statement, not for each row.
function ownWorkspacesSql(caller: Caller, parameters: Parameters, role?: WorkspaceRole): string {
  const inRole = role === undefined ? "" : ` AND own.role = '${role}'`;
  return `ARRAY(SELECT own.workspace_id FROM workspace_members own
    WHERE own.organization_id = $1 AND own.user_id = ${parameters.add(caller.userId)}${inRole})`;
}

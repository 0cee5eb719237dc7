import type { Tx } from "../../db/database.js";
import type { User } from "../../db/entities/accounts.js";
import type { OrganizationMember } from "../../db/entities/people.js";
import type { Caller, OrganizationRole, WorkspaceRole } from "../access/caller.js";
import { wrongCursor, type CursorCodec, type Position } from "../shared/cursors.js";
import { toTimestamp } from "../shared/dates.js";
import { toWorkspaceFilter } from "../shared/filter-references.js";
import { nextCursor } from "../shared/keyset.js";
import { omit } from "../shared/omit.js";
import { instantText, toPage } from "../shared/page-rows.js";
import { anywhere, createParameters, type Parameters } from "../../db/parameters.js";
import type { Named } from "../shared/refusals.js";
import { findNearPeople } from "../shared/person-references.js";
import { visibleAccountSql, visibleMemberSql, visibleWorkspaceSql } from "../access/visibility.js";
import { assignedCounts, hasAccessSql, visibleEmail } from "./member-columns.js";

export type UserSort = "name" | "last_active_at";

export interface UserFilters {
  /** Each word must occur in the name, job title or email. */
  query?: string | undefined;
  /**
   * Id or exact name, including admins of all workspaces. "none" finds people without a workspace.
   */
  workspace_id?: string | undefined;
  role?: OrganizationRole | undefined;
  /** A day in the organization's time zone. Includes people who were never active. */
  inactive_since?: string | undefined;
}

export interface UserListing extends UserFilters {
  sort: UserSort;
  limit: number;
  cursor?: string | undefined;
}

export interface UserRow extends Pick<User, "id" | "name" | "job_title"> {
  email: string | null;
  organization_role: OrganizationRole;
  /** True for accounts that can't sign in, else null. */
  deactivated: true | null;
  /** Set in lists of a workspace, for people with access who are not its members. */
  access?: "organization" | null;
  /** The first ten visible to the caller. */
  workspaces: { id: string; name: string; role: WorkspaceRole }[];
  last_active_at: string | null;
  open_tasks: number;
  assigned_assets: number;
  joined_at: string;
  access_ends_on: string | null;
}

export interface UserPage {
  users: UserRow[];
  total_count: number;
  next_cursor?: string;
  did_you_mean?: Named[];
}

/** Sort keys of people, before the id, and their text form for cursors. */
const orders: Record<UserSort, { expression: string; type: string; text: string }> = {
  name: { expression: "lower(u.name)", type: "text", text: "lower(u.name)" },
  // People inactive for longest come first.
  last_active_at: {
    expression: "coalesce(m.last_active_at, '-infinity')",
    type: "timestamptz",
    text: `coalesce(${instantText("m.last_active_at")}, '-infinity')`,
  },
};

const maxWorkspaces = 10;
const members = `organization_members m JOIN users u ON u.id = m.user_id`;

export async function listUsers(
  db: Tx,
  caller: Caller,
  listing: UserListing,
  cursors: CursorCodec,
): Promise<UserPage> {
  const { sort, limit, cursor, ...filters } = listing;
  const scope = { organizationId: caller.organizationId, list: "users", sort, filters };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const resolved = await resolveFilters(db, caller, filters);
  const [found, total_count] = await Promise.all([
    findRows(db, caller, resolved, { sort, limit, after }),
    countUsers(db, caller, resolved),
  ]);
  const { rows, last } = toPage(found, limit, toUserRow);
  const near =
    total_count === 0 && filters.query !== undefined
      ? await findNearPeople(db, caller, filters.query)
      : [];
  return {
    users: rows,
    total_count,
    ...nextCursor(cursors, scope, last),
    ...(near.length > 0 && { did_you_mean: near }),
  };
}

interface FoundUser extends Omit<UserRow, "last_active_at" | "joined_at"> {
  last_active_at: Date | null;
  joined_at: Date;
  position: string;
}

function toUserRow(row: FoundUser): UserRow {
  return {
    ...omit(row, "position"),
    last_active_at: row.last_active_at && toTimestamp(row.last_active_at),
    joined_at: toTimestamp(row.joined_at),
  };
}

export async function resolveFilters(
  db: Tx,
  caller: Caller,
  filters: UserFilters,
): Promise<UserFilters> {
  const { workspace_id: workspace } = filters;
  if (workspace === undefined) return filters;
  return { ...filters, workspace_id: await toWorkspaceFilter(db, caller, workspace) };
}

interface PageRequest {
  sort: UserSort;
  limit: number;
  after: Position | undefined;
}

/** Reads counts and workspaces only for the rows of the page. */
async function findRows(
  db: Tx,
  caller: Caller,
  filters: UserFilters,
  { sort, limit, after }: PageRequest,
): Promise<FoundUser[]> {
  const parameters = createParameters(caller.organizationId);
  const { add } = parameters;
  const conditions = toConditions(caller, filters, parameters);
  const { expression, type, text } = orders[sort];
  if (after !== undefined) {
    const value = after.value ?? (await findPosition(db, caller, text, after.id));
    conditions.push(`(${expression}, u.id) > (${add(value)}::${type}, ${add(after.id)})`);
  }
  const { workspace_id: workspace = "none" } = filters;
  const ofWorkspace =
    workspace === "none"
      ? ""
      : "CASE WHEN page.organization_role <> 'member' THEN 'organization' END AS access,";
  return db.query(
    `SELECT page.id, page.name, page.job_title, page.email, page.organization_role, page.deactivated,
       page.last_active_at, page.joined_at, page.access_ends_on, page.position, ${ofWorkspace}
       (SELECT coalesce(json_agg(own), '[]') FROM (
          SELECT w.id, w.name::text AS name,
            CASE WHEN page.organization_role = 'member' THEN wm.role ELSE 'admin' END AS role
          FROM workspace_members wm
          JOIN workspaces w ON w.organization_id = wm.organization_id AND w.id = wm.workspace_id
          WHERE wm.organization_id = $1 AND wm.user_id = page.id
            AND ${visibleWorkspaceSql(caller, parameters, "wm.workspace_id")}
          ORDER BY w.name LIMIT ${maxWorkspaces}) own) AS workspaces,
       ${assignedCounts(caller, parameters, "page.id")}
     FROM (SELECT u.id, u.name, u.job_title, ${visibleEmail(caller, parameters)} AS email,
             m.role AS organization_role, m.last_active_at, m.joined_at, m.access_ends_on,
             CASE WHEN u.deactivated_at IS NOT NULL THEN true END AS deactivated,
             ${text} AS position, ${expression} AS sorted
           FROM ${members} WHERE ${conditions.join(" AND ")}
           ORDER BY ${expression}, u.id LIMIT ${add(limit + 1)}) page
     ORDER BY page.sorted, page.id`,
    parameters.values,
  );
}

async function countUsers(db: Tx, caller: Caller, filters: UserFilters): Promise<number> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  const row = await db.maybe<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${members} WHERE ${conditions.join(" AND ")}`,
    parameters.values,
  );
  return row?.total ?? 0;
}

/** Position of the previous page's last row, if its name was too long for the cursor. */
async function findPosition(db: Tx, caller: Caller, text: string, id: string): Promise<string> {
  const parameters = createParameters(caller.organizationId, id);
  const row = await db.maybe<{ position: string }>(
    `SELECT ${text} AS position FROM ${members}
     WHERE m.organization_id = $1 AND u.id = $2 AND m.removed_at IS NULL
       AND ${visibleMemberSql(caller, parameters, "m")} AND ${visibleAccountSql(caller, "u")}`,
    parameters.values,
  );
  if (row === undefined) throw wrongCursor();
  return row.position;
}

export function toConditions(
  caller: Caller,
  filters: UserFilters,
  parameters: Parameters,
): string[] {
  const { add } = parameters;
  const { query, workspace_id: workspace, role, inactive_since: since } = filters;
  const conditions = [
    "m.organization_id = $1 AND m.removed_at IS NULL",
    visibleMemberSql(caller, parameters, "m"),
    visibleAccountSql(caller, "u"),
  ];
  if (query !== undefined) {
    const words = add((query.match(/[^\s,]+/g) ?? [query]).map(anywhere));
    conditions.push(`NOT EXISTS (SELECT 1 FROM unnest(${words}::text[]) AS word
      WHERE NOT (fettle_fold(concat_ws(' ', u.name, u.job_title)) LIKE fettle_fold(word)
        OR coalesce(${visibleEmail(caller, parameters)} ILIKE word, false)))`);
  }
  if (workspace !== undefined) {
    conditions.push(
      workspace === "none"
        ? `NOT EXISTS (SELECT 1 FROM workspace_members wm WHERE wm.organization_id = $1
             AND wm.user_id = m.user_id AND ${visibleWorkspaceSql(caller, parameters, "wm.workspace_id")})`
        : hasAccessSql("m", add(workspace)),
    );
  }
  if (role !== undefined) conditions.push(`m.role = ${add(role)}`);
  if (since !== undefined) {
    conditions.push(`coalesce(m.last_active_at, '-infinity')
      < (${add(since)}::date)::timestamp AT TIME ZONE ${add(caller.timeZone)}`);
  }
  return conditions;
}

export interface MemberLine extends Pick<
  OrganizationMember,
  "user_id" | "role" | "joined_at" | "last_active_at" | "access_ends_on"
> {
  email: string | null;
  name: string;
  active: boolean;
}

/** The members of an organization for the admin command: owners first, then by email. */
export async function listMembersByOperator(db: Tx, organizationId: string): Promise<MemberLine[]> {
  return db.query(
    `SELECT m.user_id, u.email::text AS email, u.name, m.role,
       u.deactivated_at IS NULL AS active, m.joined_at, m.last_active_at,
       m.access_ends_on::text AS access_ends_on
     FROM organization_members m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL
     ORDER BY array_position('{owner,admin,member}', m.role), u.email, u.id`,
    [organizationId],
  );
}

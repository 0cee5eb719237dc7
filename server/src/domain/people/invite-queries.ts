import type { Tx } from "../../db/database.js";
import type { Invite } from "../../db/entities/people.js";
import type { Caller } from "../access/caller.js";
import type { CursorCodec, Position } from "../shared/cursors.js";
import { toTimestamp } from "../shared/dates.js";
import { requireMaySeeInvites } from "./invite-roles.js";
import { inviteStatusSql, type InviteStatus } from "./invite-status.js";
import {
  rowsAfterCursorSql,
  nextCursor,
  orderBy,
  positionOf,
  timeKey,
  type Order,
} from "../shared/keyset.js";
import { AppError } from "../../errors.js";
import { omit } from "../shared/omit.js";
import { toPage } from "../shared/page-rows.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import type { WorkspaceRef } from "../access/roles.js";
import { visibleInviteSql } from "../access/visibility.js";
import { getWorkspace } from "../shared/workspace-references.js";

export interface InviteListing {
  status: InviteStatus | "all";
  /** Id, exact name, or "none" for invitations without a workspace. */
  workspace_id?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface InviteRow extends Pick<
  Invite,
  "id" | "email" | "organization_role" | "workspace_id" | "workspace_name" | "workspace_role"
> {
  status: InviteStatus;
  invited_by: string;
  created_at: string;
  last_sent_at: string;
  expires_at: string;
}

export interface InvitePage {
  invites: InviteRow[];
  total_count: number;
  next_cursor?: string;
}

const invites = { table: "invites", alias: "i" };
const order: Order = { keys: [timeKey("i.created_at")], direction: "DESC" };

export async function listInvites(
  db: Tx,
  caller: Caller,
  { status, workspace_id: workspace, limit, cursor }: InviteListing,
  cursors: CursorCodec,
): Promise<InvitePage> {
  const { organizationId } = caller;
  const filters = { status, workspace_id: workspace };
  const scope = { organizationId, list: "invites", sort: "-created_at", filters };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const place = workspace === undefined ? undefined : await findPlace(db, caller, workspace);
  await requireMaySeeInvites(db, caller, place);
  const [found, [count]] = await Promise.all([
    findRows(db, caller, { status, place }, { limit, after }),
    countRows(db, caller, { status, place }),
  ]);
  const { rows, last } = toPage(found, limit, toRow);
  return {
    invites: rows,
    total_count: count?.total ?? 0,
    ...nextCursor(cursors, scope, last),
  };
}

export async function getInvite(db: Tx, caller: Caller, id: string): Promise<InviteRow> {
  const filters: Filters = { status: "all", place: undefined, id };
  const [found] = await findRows(db, caller, filters, { limit: 1, after: undefined });
  if (found !== undefined) return toRow(found);
  throw new AppError("not_found", "no_such_invite");
}

async function findPlace(db: Tx, caller: Caller, workspace: string): Promise<WorkspaceRef> {
  return workspace.toLowerCase() === "none" ? null : getWorkspace(db, caller, workspace);
}

interface Filters {
  status: InviteListing["status"];
  /** Undefined means anywhere. Null means without a workspace. */
  place: WorkspaceRef | undefined;
  id?: string;
}

interface FoundRow extends Omit<InviteRow, "created_at" | "last_sent_at" | "expires_at"> {
  created_at: Date;
  last_sent_at: Date;
  expires_at: Date;
  position: string;
}

async function findRows(
  db: Tx,
  caller: Caller,
  filters: Filters,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<FoundRow[]> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  if (after !== undefined) {
    conditions.push(await rowsAfterCursorSql(db, caller, invites, { order, after, parameters }));
  }
  return db.query(
    `SELECT i.id, i.email::text AS email, ${inviteStatusSql("i")} AS status, i.organization_role,
       i.workspace_id, coalesce(w.name::text, i.workspace_name) AS workspace_name,
       i.workspace_role, u.name AS invited_by, i.created_at, i.last_sent_at, i.expires_at,
       ${positionOf(order)} AS position
     FROM invites i JOIN users u ON u.id = i.invited_by
     LEFT JOIN workspaces w ON w.organization_id = i.organization_id AND w.id = i.workspace_id
     WHERE ${conditions.join(" AND ")}
     ORDER BY ${orderBy(order, invites)} LIMIT ${parameters.add(limit + 1)}`,
    parameters.values,
  );
}

async function countRows(db: Tx, caller: Caller, filters: Filters): Promise<{ total: number }[]> {
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  return db.query(
    `SELECT count(*)::int AS total FROM invites i WHERE ${conditions.join(" AND ")}`,
    parameters.values,
  );
}

function toConditions(
  caller: Caller,
  { status, place, id }: Filters,
  parameters: Parameters,
): string[] {
  const conditions = ["i.organization_id = $1", visibleInviteSql(caller, parameters, "i")];
  if (status !== "all") conditions.push(`${inviteStatusSql("i")} = ${parameters.add(status)}`);
  if (id !== undefined) conditions.push(`i.id = ${parameters.add(id)}`);
  if (place === null) conditions.push("i.workspace_id IS NULL");
  else if (place !== undefined) conditions.push(`i.workspace_id = ${parameters.add(place.id)}`);
  return conditions;
}

function toRow(row: FoundRow): InviteRow {
  return {
    ...omit(row, "position"),
    created_at: toTimestamp(row.created_at),
    last_sent_at: toTimestamp(row.last_sent_at),
    expires_at: toTimestamp(row.expires_at),
  };
}

import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { Workspace, workspaceFields } from "../../db/entities/organizations.js";
import type { Given, Stored } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { cleanFields } from "../shared/clean-fields.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { violates } from "../../db/query-errors.js";
import type { CursorCodec } from "../shared/cursors.js";
import { createId } from "../shared/ids.js";
import { rejectReservedName } from "../shared/none-placeholder.js";
import {
  rowsAfterCursorSql,
  type ListedTable,
  nextCursor,
  orderBy,
  positionOf,
  type Order,
} from "../shared/keyset.js";
import { omit } from "../shared/omit.js";
import { toPage } from "../shared/page-rows.js";
import { toSearched } from "../shared/word-match.js";
import { anywhere, createParameters, type Parameters } from "../../db/parameters.js";
import type { Named } from "../shared/refusals.js";
import { ownRoleSql, requireOrganizationAdmin } from "../access/roles.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { workspaceUrl } from "../access/urls.js";

export interface WorkspaceListing {
  query?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface WorkspaceRow {
  id: string;
  name: string;
  description: string | null;
  asset_count: number;
  open_tasks: number;
  overdue_tasks: number;
  members: number;
  my_role: WorkspaceRole;
  address: string | null;
  version: number;
}

export interface WorkspacePage {
  workspaces: WorkspaceRow[];
  total_count: number;
  next_cursor?: string;
}

const listed: ListedTable = {
  table: "workspaces",
  alias: "w",
  isVisible: (caller, parameters) => visibleWorkspaceSql(caller, parameters, "w.id"),
};
const byName: Order = {
  keys: [{ expression: "w.name", type: "citext", text: "w.name::text" }],
  direction: "ASC",
};

export async function listWorkspaces(
  db: Tx,
  caller: Caller,
  { query, limit, cursor }: WorkspaceListing,
  cursors: CursorCodec,
): Promise<WorkspacePage> {
  const scope = {
    organizationId: caller.organizationId,
    list: "workspaces",
    sort: "name",
    filters: { query },
  };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, query, parameters);
  const countText = `SELECT count(*)::int AS total FROM workspaces w WHERE ${conditions.join(" AND ")}`;
  const countValues = [...parameters.values];
  if (after !== undefined) {
    conditions.push(
      await rowsAfterCursorSql(db, caller, listed, { order: byName, after, parameters }),
    );
  }
  const [found, [count]] = await Promise.all([
    findPage(db, caller, { conditions, parameters, limit }),
    db.query<{ total: number }>(countText, countValues),
  ]);
  const { rows, last } = toPage(found, limit, (row) => omit(row, "position"));
  return {
    workspaces: rows,
    total_count: count?.total ?? 0,
    ...nextCursor(cursors, scope, last),
  };
}

export function toConditions(
  caller: Caller,
  query: string | undefined,
  parameters: Parameters,
): string[] {
  const conditions = ["w.organization_id = $1", visibleWorkspaceSql(caller, parameters, "w.id")];
  if (query === undefined) return conditions;
  const part = parameters.add(anywhere(query));
  return [
    ...conditions,
    `(fettle_fold(w.name::text) LIKE fettle_fold(${part})
      OR folded_tsvector(concat_ws(' ', w.name, w.description))
       @@ websearch_to_tsquery('simple', fettle_fold(${parameters.add(toSearched(query))})))`,
  ];
}

interface PageQuery {
  conditions: string[];
  parameters: Parameters;
  limit: number;
}

function findPage(
  db: Tx,
  caller: Caller,
  { conditions, parameters, limit }: PageQuery,
): Promise<(WorkspaceRow & { position: string })[]> {
  const role = ownRoleSql(caller, parameters, "w.id");
  const today = parameters.add(todayOf(caller));
  return db.query(
    `SELECT w.id, w.name::text AS name, left(w.description, 120) AS description,
       counted.asset_count, counted.open_tasks, counted.overdue_tasks,
       (SELECT count(*)::int FROM workspace_members wm
          JOIN organization_members om ON om.organization_id = wm.organization_id
            AND om.user_id = wm.user_id AND om.removed_at IS NULL
          WHERE wm.organization_id = $1 AND wm.workspace_id = w.id) AS members,
       ${role} AS my_role, w.address, w.version, ${positionOf(byName)} AS position
     FROM workspaces w, LATERAL (${workspaceCounts("w.id", today)}) counted
     WHERE ${conditions.join(" AND ")}
     ORDER BY ${orderBy(byName, listed)} LIMIT ${parameters.add(limit + 1)}`,
    parameters.values,
  );
}

/** The number of assets per workspace and state. Retired assets don't count. */
export async function countAssetStates(
  db: Tx,
  { organizationId }: Caller,
  workspaceIds: readonly string[],
): Promise<Map<string, Partial<Record<AssetState, number>>>> {
  const rows = await db.query<{ id: string; state: AssetState; n: number }>(
    `SELECT f.workspace_id AS id, split_part(f.key, ' ', 1) AS state, sum(f.n)::int AS n
     FROM figures f WHERE f.organization_id = $1 AND f.level IN (0, 1) AND f.kind = 'asset'
       AND f.key NOT LIKE 'deleted %' AND f.workspace_id = ANY ($2)
     GROUP BY 1, 2 HAVING sum(f.n) > 0`,
    [organizationId, workspaceIds],
  );
  const counts = new Map<string, Partial<Record<AssetState, number>>>();
  for (const { id, state, n } of rows) counts.set(id, { ...counts.get(id), [state]: n });
  return counts;
}

/** Forms and filters list all workspaces. */
const maxWorkspaces = 1000;

export interface NewWorkspace extends Given<typeof workspaceFields> {
  name: string;
}

export interface CreatedWorkspace {
  workspace: { id: string; name: string; version: number; url: string };
}

/** Creates a workspace. Names are unique per organization, ignoring case. */
export async function createWorkspace(
  tx: Tx,
  caller: Caller,
  given: NewWorkspace,
): Promise<CreatedWorkspace> {
  const { name = "", ...rest } = await checkNewWorkspace(tx, caller, given);
  const id = createId("workspace");
  await withWorkspaceName(tx, caller, name, (savepoint) =>
    savepoint.insert(Workspace, {
      ...rest,
      name,
      id,
      organization_id: caller.organizationId,
      created_by: caller.userId,
    }),
  );
  await recordCallerActivity(tx, caller, "workspace_created", { workspace_id: id, name });
  return { workspace: { id, name, version: 1, url: workspaceUrl(caller, id) } };
}

/** Validates a new workspace except for the uniqueness of its name. Stores nothing. */
export async function checkNewWorkspace(
  tx: Tx,
  caller: Caller,
  given: Given<typeof workspaceFields>,
): Promise<Partial<Stored<typeof workspaceFields>>> {
  const fields = cleanWorkspaceFields(given);
  await requireOrganizationAdmin(tx, caller, "create workspaces");
  const { organizationId: organization_id } = caller;
  if ((await tx.count(Workspace, { organization_id })) >= maxWorkspaces) {
    throw new AppError("validation_failed", "too_many_workspaces", { max: maxWorkspaces });
  }
  return fields;
}

export function cleanWorkspaceFields(
  given: Given<typeof workspaceFields>,
): Partial<Stored<typeof workspaceFields>> {
  const fields = cleanFields(workspaceFields, given);
  const { name = "" } = fields;
  rejectReservedName(name);
  return fields;
}

/** Runs a change that sets a workspace's name. If the name is taken, the error includes the workspace that has it. */
export async function withWorkspaceName<Result>(
  tx: Tx,
  caller: Caller,
  name: string,
  change: (savepoint: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await tx.transaction(change);
  } catch (error) {
    if (violates(error, "the name of a workspace is free")) {
      throw await nameTaken(tx, caller, name);
    }
    throw error;
  }
}

async function nameTaken(tx: Tx, caller: Caller, name: string): Promise<AppError> {
  const parameters = createParameters(caller.organizationId, name);
  const holders = await tx.maybe<Named>(
    `SELECT w.id, w.name::text AS name FROM workspaces w
     WHERE w.organization_id = $1 AND w.name = $2::citext
       AND ${visibleWorkspaceSql(caller, parameters, "w.id")}`,
    parameters.values,
  );
  const details = { field: "name", holder: holders };
  return new AppError("duplicate", "workspace_name_taken", details);
}

/**
 * Query for asset_count, open_tasks and overdue_tasks of a workspace. `today` is a parameter such
 * as `$2`. Figures date finished tasks at the earliest day, and tasks without a due date at the
 * latest.
 */
function workspaceCounts(workspaceId: string, today: string): string {
  const sum = (condition: string) => `coalesce(sum(f.n) FILTER (WHERE ${condition}), 0)::int`;
  return `SELECT ${sum("f.kind = 'asset'")} AS asset_count, ${sum("f.kind = 'task'")} AS open_tasks,
      ${sum(`f.kind = 'task' AND f.day < ${today}::date`)} AS overdue_tasks
    FROM figures f WHERE f.organization_id = $1 AND f.level IN (0, 1)
      AND f.workspace_id = ${workspaceId}
      AND (f.kind = 'asset' AND f.key NOT LIKE 'deleted %'
        OR f.kind = 'task' AND f.day > '-infinity')`;
}

import type { Tx } from "../../db/database.js";
import { assetFields } from "../../db/entities/assets.js";
import { taskFields } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import {
  visibleAssetSql,
  visibleEmailSql,
  visibleTaskSql,
  visibleWorkspaceSql,
} from "../access/visibility.js";
import * as assets from "../assets/asset-filters.js";
import { workspaceFields } from "../../db/entities/organizations.js";
import { selectFields } from "../shared/field-columns.js";
import { visibleEmail } from "../people/member-columns.js";
import * as people from "../people/people.js";
import { assertMaxBytes } from "../../db/assert-max-bytes.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { toTaskNumber } from "../shared/task-references.js";
import * as tasks from "../tasks/task-filters.js";
import * as workspaces from "../organizations/workspaces.js";
import { toCell } from "./cell-texts.js";
import {
  assetColumns,
  peopleColumns,
  taskColumns,
  workspaceColumns,
  type SheetRow,
} from "./headings.js";

const rowsAtOnce = 100;

/**
 * A row's position in the order. The next rows are found by it even if the row is deleted
 * meanwhile.
 */
type Place = readonly [key: string | number | null, id: string | null];
type Found = Record<string, unknown> & { id: string; place_key: string | number; found?: number };

/**
 * Yields all assets that a list with these filters contains, in batches. They are sorted by name,
 * whatever the list's order.
 */
export async function* exportAssets(
  db: Tx,
  caller: Caller,
  filters: assets.AssetFilters,
): AsyncGenerator<SheetRow[]> {
  const resolved = await assets.resolveFilters(db, caller, filters);
  yield* inBatches(assetColumns, (after) => {
    const parameters = createParameters(caller.organizationId, ...after);
    const conditions = assets.toConditions(caller, resolved, parameters);
    return db.query(
      assertMaxBytes(
        ["description"],
        `SELECT a.id, a.name_key AS place_key, a.inventory_number, a.state,
         ${selectFields(assetFields, "a")},
         w.name::text AS workspace_id, c.name::text AS category,
         CASE WHEN ${visibleAssetSql(caller, parameters, "p")} THEN p.inventory_number END
           AS parent_asset_id, ${personSql(caller, parameters)}
       FROM assets a
       LEFT JOIN asset_categories c ON c.organization_id = $1 AND c.id = a.category_id
       LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = a.workspace_id
       LEFT JOIN assets p ON p.organization_id = $1 AND p.id = a.parent_asset_id
       LEFT JOIN users u ON u.id = a.assigned_to_user_id
       WHERE ${conditions.join(" AND ")} AND ${visibleAssetSql(caller, parameters, "a")}
         AND ($2::text IS NULL OR (a.name_key, a.id) > ($2, $3::text))
       ORDER BY a.name_key, a.id LIMIT ${rowsAtOnce}`,
      ),
      parameters.values,
      { replan: caller.organizationId },
    );
  });
}

export async function* exportTasks(
  db: Tx,
  caller: Caller,
  filters: tasks.TaskFilters,
): AsyncGenerator<SheetRow[]> {
  const resolved = await tasks.resolveFilters(db, caller, filters);
  yield* inBatches(taskColumns, async (after) => {
    const parameters = createParameters(caller.organizationId, ...after);
    const conditions = tasks.toConditions(caller, resolved, parameters);
    const rows = await db.query<Found & { task_number: number }>(
      assertMaxBytes(
        ["description", "completion_notes"],
        `SELECT t.id, t.task_number::int AS place_key, t.task_number::int AS task_number,
         t.state, t.completed_at, t.currency::text AS currency, ${selectFields(taskFields, "t")},
         a.inventory_number AS asset_id, a.name AS asset_name,
         CASE WHEN t.asset_id IS NULL THEN w.name::text END AS workspace_id,
         p.name::text AS procedure, ${personSql(caller, parameters)}
       FROM maintenance_tasks t
       LEFT JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
       LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = t.workspace_id
       LEFT JOIN users u ON u.id = t.assigned_to_user_id
       LEFT JOIN procedures p ON p.organization_id = $1 AND p.id = t.procedure_id
       WHERE ${conditions.join(" AND ")} AND ${visibleTaskSql(caller, parameters, "t")}
         AND ($2::int IS NULL OR (t.task_number, t.id) > ($2, $3::text))
       ORDER BY t.task_number LIMIT ${rowsAtOnce}`,
      ),
      parameters.values,
      { replan: caller.organizationId },
    );
    return rows.map((row) => ({ ...row, task_number: toTaskNumber(row.task_number) }));
  });
}

/**
 * Yields all people that a list with these filters contains, by name. A list of one workspace
 * includes only their role there.
 */
export async function* exportPeople(
  db: Tx,
  caller: Caller,
  filters: people.UserFilters,
): AsyncGenerator<SheetRow[]> {
  const resolved = await people.resolveFilters(db, caller, filters);
  const { workspace_id: workspace = "none" } = resolved;
  yield* inBatches(peopleColumns, (after) => {
    const parameters = createParameters(caller.organizationId, ...after);
    const conditions = people.toConditions(caller, resolved, parameters);
    const place = `${visibleWorkspaceSql(caller, parameters, "k.workspace_id")}
      ${workspace === "none" ? "" : `AND k.workspace_id = ${parameters.add(workspace)}`}`;
    return db.query(
      `SELECT u.id || ' ' || coalesce(w.id, '') AS id, lower(u.name) AS place_key,
         ${visibleEmail(caller, parameters)} AS email, u.name, m.role AS organization_role, w.name::text AS workspace_id,
         CASE WHEN w.id IS NULL THEN NULL WHEN m.role = 'member' THEN k.role ELSE 'admin' END
           AS workspace_role,
         m.joined_at, m.last_active_at, m.access_ends_on
       FROM organization_members m JOIN users u ON u.id = m.user_id
       LEFT JOIN workspace_members k ON k.organization_id = $1 AND k.user_id = m.user_id AND ${place}
       LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = k.workspace_id
       WHERE ${conditions.join(" AND ")}
         AND ($2::text IS NULL OR (lower(u.name), u.id, coalesce(w.id, '')) >
           ($2, split_part($3, ' ', 1), split_part($3, ' ', 2)))
       ORDER BY lower(u.name), u.id, coalesce(w.id, '') LIMIT ${rowsAtOnce}`,
      parameters.values,
    );
  });
}

export async function* exportWorkspaces(
  db: Tx,
  caller: Caller,
  query: string | undefined,
): AsyncGenerator<SheetRow[]> {
  yield* inBatches(workspaceColumns, (after) => {
    const parameters = createParameters(caller.organizationId, ...after);
    const conditions = workspaces.toConditions(caller, query, parameters);
    return db.query(
      `SELECT w.id, w.name::text AS place_key, ${selectFields(workspaceFields, "w")} FROM workspaces w
       WHERE ${conditions.join(" AND ")}
         AND ($2::citext IS NULL OR (w.name, w.id) > ($2, $3::text))
       ORDER BY w.name, w.id LIMIT ${rowsAtOnce}`,
      parameters.values,
    );
  });
}

/**
 * The email, by which an import finds the person again, if the caller may see it. Otherwise the
 * name.
 */
function personSql(caller: Caller, parameters: Parameters): string {
  const email = visibleEmailSql(caller, parameters, "u");
  return `CASE WHEN ${email} THEN u.email::text ELSE u.name END AS assigned_to_user_id`;
}

async function* inBatches(
  columns: readonly string[],
  find: (after: Place) => Promise<Found[]>,
): AsyncGenerator<SheetRow[]> {
  let after: Place = [null, null];
  for (let isOver = false; !isOver;) {
    const rows: Found[] = await find(after);
    const last = rows.at(-1);
    isOver = rows.length < rowsAtOnce && rows.length === (last?.found ?? rows.length);
    after = [last?.place_key ?? null, last?.id ?? null];
    if (rows.length > 0) yield rows.map((row) => columns.map((field) => toCell(field, row[field])));
  }
}

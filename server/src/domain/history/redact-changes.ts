import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import type { Change } from "./record-events.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { visibleAssetSql, visibleWorkspaceSql } from "../access/visibility.js";

/** Each reference in a history, with the field that stores its name. */
const nameFields: Record<string, string> = {
  workspace_id: "workspace_name",
  parent_asset_id: "parent_asset",
  asset_id: "asset_name",
  merged_into_asset_id: "merged_into",
};

/**
 * Changes contain former workspaces, parents and assets. Returns a function that removes ids and
 * names of workspaces and assets that the caller may not see. The fact that a field changed stays.
 */
export async function createRedactor(
  db: Tx,
  caller: Caller,
  changes: Change[],
): Promise<(changes: Change[]) => Change[]> {
  if (isOrganizationAdmin(caller)) return (all) => all;
  const ofAssets = Object.keys(nameFields).filter((field) => field !== "workspace_id");
  const [workspaces, assets] = await Promise.all([
    findVisible(db, caller, idsIn(changes, ["workspace_id"]), (parameters) => ({
      table: "workspaces",
      visible: visibleWorkspaceSql(caller, parameters, "t.id"),
    })),
    findVisible(db, caller, idsIn(changes, ofAssets), (parameters) => ({
      table: "assets",
      visible: visibleAssetSql(caller, parameters, "t"),
    })),
  ]);
  const visible = new Set([...workspaces, ...assets]);
  return (all) => hide(all, visible);
}

function idsIn(changes: Change[], idFields: string[]): unknown[] {
  const ids = changes
    .filter(({ field }) => idFields.includes(field))
    .flatMap(({ from, to }) => [from, to])
    .filter((id) => id !== undefined);
  return [...new Set(ids)];
}

async function findVisible(
  db: Tx,
  caller: Caller,
  ids: unknown[],
  toSource: (parameters: Parameters) => { table: string; visible: string },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const parameters = createParameters(caller.organizationId, ids);
  const { table, visible } = toSource(parameters);
  const rows = await db.query<{ id: string }>(
    `SELECT t.id FROM ${table} t
     WHERE t.organization_id = $1 AND t.id = ANY ($2::text[]) AND ${visible}`,
    parameters.values,
  );
  return rows.map(({ id }) => id);
}

/**
 * SQL condition: the event has references that may be hidden. `event` is the alias of a
 * history_events row.
 */
export function hasReferences(event: string): string {
  return `${event}.search_unreferring IS NOT NULL`;
}

/**
 * SQL for the words of an event with references, without the words hidden from the caller. They are
 * combined from stored parts, so a search finds nothing hidden. If one of two references on a side
 * is hidden, the whole side is hidden.
 */
export function visibleTextSql(caller: Caller, parameters: Parameters, event: string): string {
  const shown = (side: "from" | "to") =>
    `CASE WHEN EXISTS (SELECT 1 FROM unnest(${event}.refers_${side}) ref (id)
        WHERE ${visibleWorkspaceSql(caller, parameters, "ref.id")} IS NOT TRUE
          AND NOT EXISTS (SELECT 1 FROM assets parent WHERE parent.organization_id = $1
            AND parent.id = ref.id AND ${visibleAssetSql(caller, parameters, "parent")}))
      THEN '' ELSE ${event}.search_${side} END`;
  return `(${event}.search_unreferring || ${shown("from")} || ${shown("to")})`;
}

function hide(changes: Change[], visible: ReadonlySet<unknown>): Change[] {
  const hidden = { from: new Set<string>(), to: new Set<string>() };
  for (const { field, from, to } of changes) {
    const nameField = nameFields[field];
    if (nameField === undefined) continue;
    if (!visible.has(from)) hidden.from.add(field).add(nameField);
    if (!visible.has(to)) hidden.to.add(field).add(nameField);
  }
  return changes.map(({ field, from, to }) => ({
    field,
    ...(from !== undefined && !hidden.from.has(field) && { from }),
    ...(to !== undefined && !hidden.to.has(field) && { to }),
  }));
}

import type { EntityManager } from "typeorm";
import { isOrganizationAdmin, type Caller } from "./caller.js";
import type { Change } from "./history.js";
import { createParameters, type Parameters } from "./parameters.js";
import { seesAsset, seesWorkspace } from "./visibility.js";

/** Each reference in a history, with the field that keeps the name beside it. */
const nameFields: Record<string, string> = {
  workspace_id: "workspace_name",
  parent_asset_id: "parent_asset",
};

/**
 * Changes tell where an asset was and what it was part of. Answers with what takes from them the
 * ids and names of workspaces and assets that the caller may not see; that a field changed stays.
 */
export async function createHider(
  db: EntityManager,
  caller: Caller,
  changes: Change[],
): Promise<(changes: Change[]) => Change[]> {
  if (isOrganizationAdmin(caller)) return (all) => all;
  const [workspaces, parents] = await Promise.all([
    findVisible(db, caller, idsIn(changes, "workspace_id"), (parameters) => ({
      table: "workspaces",
      visible: seesWorkspace(caller, parameters, "t.id"),
    })),
    findVisible(db, caller, idsIn(changes, "parent_asset_id"), (parameters) => ({
      table: "assets",
      visible: seesAsset(caller, parameters, "t"),
    })),
  ]);
  const visible = new Set([...workspaces, ...parents]);
  return (all) => hide(all, visible);
}

function idsIn(changes: Change[], idField: string): unknown[] {
  const ids = changes
    .filter(({ field }) => field === idField)
    .flatMap(({ from, to }) => [from, to])
    .filter((id) => id !== undefined);
  return [...new Set(ids)];
}

async function findVisible(
  db: EntityManager,
  caller: Caller,
  ids: unknown[],
  toSource: (parameters: Parameters) => { table: string; visible: string },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const parameters = createParameters(caller.organizationId, ids);
  const { table, visible } = toSource(parameters);
  const rows: { id: string }[] = await db.query(
    `SELECT t.id FROM ${table} t
     WHERE t.organization_id = $1 AND t.id = ANY ($2::text[]) AND ${visible}`,
    parameters.values,
  );
  return rows.map(({ id }) => id);
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

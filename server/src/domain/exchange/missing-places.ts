import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { cleanWorkspaceFields, createWorkspace } from "../organizations/workspaces.js";
import type { ImportKind } from "./import-kinds.js";
import type { ImportSettings } from "./import-settings.js";
import type { NumberedRow } from "./read-values.js";

/** A column with more values doesn't name places. */
const maxPlaces = 100;

/** Collects the workspaces that rows name, by name in lower case. */
export function addPlaceName(
  of: ImportKind,
  names: Map<string, string>,
  { values, usualPlace }: NumberedRow,
): void {
  const name = values["workspace_id"] ?? usualPlace;
  if (of !== "assets" || typeof name !== "string" || names.size > maxPlaces) return;
  const key = name.toLowerCase();
  if (!names.has(key)) names.set(key, name);
}

/** Returns the names of workspaces that don't exist and could be created. */
export async function findMissingPlaces(
  tx: Tx,
  caller: Caller,
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (names.size === 0 || names.size > maxPlaces) return [];
  const possible = [...names.values()].filter(isPossible);
  const missing = await tx.query<{ name: string }>(
    `SELECT n.name FROM unnest($2::text[]) WITH ORDINALITY AS n (name, position)
     WHERE NOT EXISTS (SELECT FROM workspaces w
       WHERE w.organization_id = $1 AND w.name = n.name::citext)
     ORDER BY n.position`,
    [caller.organizationId, possible],
  );
  return missing.map(({ name }) => name);
}

function isPossible(name: string): boolean {
  try {
    return cleanWorkspaceFields({ name }).name === name;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The workspaces that the import creates, in lower case. */
export function toCreated({ place }: ImportSettings, missing: readonly string[]): Set<string> {
  return new Set(place == null ? [] : missing.map((name) => name.toLowerCase()));
}

/** Creates the missing workspaces of rows that will be stored. */
export async function createMissingPlaces(
  tx: Tx,
  caller: Caller,
  { id, settings }: { id: string; settings: ImportSettings },
): Promise<void> {
  const { place, missingPlaces = [] } = settings;
  if (place == null || missingPlaces.length === 0) return;
  const used = await tx.query<{ key: string }>(
    `SELECT DISTINCT details -> 'values' ->> 'workspace_id' AS key FROM change_set_rows
     WHERE organization_id = $1 AND change_set_id = $2 AND outcome IN ('create', 'update')
       AND details -> 'values' ->> 'workspace_id' IS NOT NULL`,
    [caller.organizationId, id],
  );
  const keys = new Set(used.map(({ key }) => key.toLowerCase()));
  const names = missingPlaces.filter((name) => keys.has(name.toLowerCase()));
  const missing = await findMissingPlaces(tx, caller, new Map(names.map((name) => [name, name])));
  for (const name of missing) await createWorkspace(tx, caller, { name });
}

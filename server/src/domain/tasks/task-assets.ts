import type { Tx } from "../../db/database.js";
import type { Criticality } from "../../db/entities/assets.js";
import type { Caller } from "../access/caller.js";
import { coverPictureSql } from "../files/find-files.js";

export interface TaskAsset {
  category: string | null;
  criticality: Criticality;
  /** The id of the asset's newest picture. */
  cover: string | null;
}

/**
 * Returns what a list shows of the tasks' assets, by task id. The caller must have checked that the
 * tasks are visible.
 */
export async function findTaskAssets(
  db: Tx,
  { organizationId }: Caller,
  ids: readonly string[],
): Promise<Map<string, TaskAsset>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<TaskAsset & { id: string }>(
    `SELECT t.id, c.name::text AS category, a.criticality, ${coverPictureSql("a.id")} AS cover
     FROM maintenance_tasks t
     JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
     LEFT JOIN asset_categories c ON c.organization_id = $1 AND c.id = a.category_id
     WHERE t.organization_id = $1 AND t.id = ANY ($2)`,
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, ...asset }) => [id, asset]));
}

/**
 * Returns the versions of tasks and the codes of their assets' labels, by task id. The caller must
 * have checked that the tasks are visible.
 */
export async function findVersionsAndLabels(
  db: Tx,
  { organizationId }: Caller,
  ids: readonly string[],
): Promise<Map<string, { version: number; qr_token: string | null }>> {
  const rows = await db.query<{ id: string; version: number; qr_token: string | null }>(
    `SELECT t.id, t.version, a.qr_token FROM maintenance_tasks t
     LEFT JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
     WHERE t.organization_id = $1 AND t.id = ANY ($2)`,
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, ...task }) => [id, task]));
}

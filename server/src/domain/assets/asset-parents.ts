import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";

/** Levels of a chain of parts, the topmost asset included. */
export const maxLevels = 8;

/**
 * Lets one transaction of an organization at a time change parents, so that two changes, each fine
 * by itself, cannot close a circle. Taken before any asset is locked, which rules deadlocks out.
 */
export async function lockParents(tx: Tx, caller: Caller): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('asset parents ' || $1, 0))", [
    caller.organizationId,
  ]);
}

/**
 * Refuses a parent that would make a circle or too long a chain, and a retired one, which only an undo
 * brings back. Needs `lockParents`.
 */
export async function checkParent(
  tx: Tx,
  caller: Caller,
  {
    assetId,
    parentId,
    reference,
    isUndo = false,
  }: { assetId?: string; parentId: string; reference: string; isUndo?: boolean },
): Promise<void> {
  const above = await tx.query<{ id: string; state: AssetState }>(
    `WITH RECURSIVE chain AS (
       SELECT a.id, a.parent_asset_id, a.state, 1 AS level FROM assets a
       WHERE a.organization_id = $1 AND a.id = $2
       UNION ALL
       SELECT a.id, a.parent_asset_id, a.state, chain.level + 1 FROM chain
       JOIN assets a ON a.organization_id = $1 AND a.id = chain.parent_asset_id
       WHERE chain.level < $3)
     SELECT id, state FROM chain ORDER BY level`,
    [caller.organizationId, parentId, maxLevels + 1],
  );
  if (above.some(({ id }) => id === assetId)) {
    const details = { field: "parent_asset_id", reference };
    throw new AppError("validation_failed", "parent_is_part", details);
  }
  if (above[0]?.state === "deleted" && !isUndo) {
    const details = { field: "parent_asset_id", reference };
    throw new AppError("validation_failed", "parent_retired", details);
  }
  const below = assetId === undefined ? 1 : await countLevelsBelow(tx, caller, assetId);
  const levels = above.length + below;
  if (levels > maxLevels) {
    const details = { field: "parent_asset_id", max: maxLevels, levels };
    throw new AppError("validation_failed", "parts_too_deep", details);
  }
}

/** How many levels the asset and its parts take. */
async function countLevelsBelow(tx: Tx, caller: Caller, assetId: string): Promise<number> {
  const row = await tx.maybe<{ levels: number }>(
    `WITH RECURSIVE parts AS (
       SELECT $2::text AS id, 1 AS level
       UNION ALL
       SELECT a.id, parts.level + 1 FROM parts
       JOIN assets a ON a.organization_id = $1 AND a.parent_asset_id = parts.id
       WHERE parts.level < $3)
     SELECT max(level)::int AS levels FROM parts`,
    [caller.organizationId, assetId, maxLevels + 1],
  );
  return row?.levels ?? 1;
}

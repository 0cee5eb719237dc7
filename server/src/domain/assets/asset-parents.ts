import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";

/** Maximum number of levels in a hierarchy of parts, including the top asset. */
export const maxLevels = 8;

/**
 * Allows one transaction per organization at a time to change parents. Two valid changes could
 * otherwise form a cycle. Taken before any asset lock, which prevents deadlocks.
 */
export async function lockParents(tx: Tx, caller: Caller): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('asset parents ' || $1, 0))", [
    caller.organizationId,
  ]);
}

/**
 * Throws for a parent that would form a cycle or too deep a hierarchy. Throws for a retired parent,
 * except in an undo. Requires `lockParents`.
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

/** Returns the number of levels of the asset and its parts. */
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

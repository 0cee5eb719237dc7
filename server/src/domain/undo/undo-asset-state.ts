import type { AssetState } from "../../db/entities/asset.js";
import { AppError } from "../../errors.js";
import type { AssetRecord } from "../assets/asset-record.js";
import { findLastDowntime, type NewState } from "../assets/store-asset-state.js";
import { getAssetId } from "../references/asset-references.js";
import type { Named } from "../refusals/refusals.js";
import { createParameters } from "../sql/parameters.js";
import { orConflict, type Conflict, type Undoing } from "./outcomes.js";
import type { RestoredField } from "./past-changes.js";
import { selectedSql } from "./selections.js";

/** What comes back with a state: where a duplicate leads, the state before it was retired, or its kind of downtime. */
export async function findWhatFollows(
  undoing: Undoing,
  asset: AssetRecord,
  { value: state, since }: RestoredField,
  conflicts: Conflict[],
): Promise<Pick<NewState, "mergedInto" | "stateBefore" | "downtime">> {
  if (state === "deleted") {
    const before = since.before?.["state_before_deletion"] as AssetState | undefined;
    const into = since.changes.find(({ field }) => field === "merged_into_asset_id")?.from;
    const mergedInto = await orConflict(conflicts, "merged_into", () =>
      typeof into === "string" ? findMerged(undoing, asset, into) : undefined,
    );
    return { stateBefore: before, mergedInto };
  }
  const { tx, caller } = undoing;
  return { downtime: await findLastDowntime(tx, caller, asset.id, state as AssetState) };
}

/** The asset that a duplicate leads to; it may have become a duplicate of this one since. */
async function findMerged(
  { tx, caller }: Undoing,
  asset: AssetRecord,
  reference: string,
): Promise<Named> {
  const id = await getAssetId(tx, caller, reference, { field: "merged_into" });
  const found: { name: string; is_back: boolean }[] = await tx.query(
    `WITH RECURSIVE chain AS (
       SELECT a.id, a.merged_into_asset_id AS next FROM assets a
         WHERE a.organization_id = $1 AND a.id = $2
       UNION SELECT a.id, a.merged_into_asset_id FROM assets a
         JOIN chain ON a.id = chain.next WHERE a.organization_id = $1)
     SELECT a.name, EXISTS (SELECT FROM chain WHERE chain.id = $3) AS is_back FROM assets a
     WHERE a.organization_id = $1 AND a.id = $2`,
    [caller.organizationId, id, asset.id],
  );
  const [kept] = found;
  if (kept === undefined || kept.is_back) {
    throw new AppError("invalid_transition", "merged_into_retired", { field: "merged_into" });
  }
  return { id, name: kept.name };
}

/** Of work that is not part of the undo: other work needs its own for the history of the undo. */
export async function forgetFormerStates({
  tx,
  caller,
  subject,
  selection,
}: Undoing): Promise<void> {
  const parameters = createParameters(caller.organizationId, subject.id);
  await tx.query(
    `UPDATE maintenance_tasks t SET asset_state_before = NULL
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND t.asset_state_before IS NOT NULL
       AND NOT EXISTS (SELECT FROM history_events e WHERE e.organization_id = $1
         AND e.task_id = t.id AND ${selectedSql(selection, parameters, "e")})`,
    parameters.values,
  );
}

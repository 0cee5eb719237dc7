import type { AssetState, DeletionReason } from "../../db/entities/assets.js";
import { AppError } from "../../errors.js";
import type { AssetRecord } from "../assets/asset-record.js";
import { findLastDowntime, type FormerStates, type NewState } from "../assets/store-asset-state.js";
import { getAssetId } from "../shared/asset-references.js";
import type { Named } from "../shared/refusals.js";
import { createParameters } from "../../db/parameters.js";
import { pick } from "../shared/omit.js";
import { orConflict, type Conflict, type Undoing } from "./outcomes.js";
import type { PastEvent, RestoredField } from "./past-changes.js";
import { selectedSql } from "./selections.js";

/**
 * Returns the state to restore and its details: the asset a duplicate was merged into, the state
 * before retirement, or the kind of downtime.
 */
export async function findNewState(
  undoing: Undoing,
  asset: AssetRecord,
  restored: readonly RestoredField[],
  conflicts: Conflict[],
): Promise<NewState | undefined> {
  const { tx, caller } = undoing;
  const change = restored.find(({ field }) => field === "state");
  if (change === undefined) return undefined;
  const { since } = change;
  const state = change.value as AssetState;
  if (state === "deleted") {
    const reason = restored.find(({ field }) => field === "deletion_reason")?.value;
    const stateBefore = since.before?.["state_before_deletion"] as AssetState | undefined;
    const into = since.changes.find(({ field }) => field === "merged_into_asset_id")?.from;
    const mergedInto = await orConflict(conflicts, "merged_into", () =>
      typeof into === "string" ? findMerged(undoing, asset, into) : undefined,
    );
    return {
      state,
      reason: reason as DeletionReason | undefined,
      stateBefore,
      mergedInto,
      formerStates: await findFormerStates(undoing, since),
    };
  }
  if (asset.state === "in_maintenance" && (await isKeptDown(undoing))) {
    const refusal = { code: "conflict", key: "work_keeps_down", params: {} } as const;
    conflicts.push({ field: "state", refusal });
    return undefined;
  }
  return {
    state,
    downtime: await findLastDowntime(tx, caller, asset.id, state),
    formerStates: await findFormerStates(undoing, since),
  };
}

/**
 * Returns the former states that the change set or cleared on running work. Work that has ended
 * since keeps its state.
 */
async function findFormerStates(
  { tx, caller, selection }: Undoing,
  { before }: PastEvent,
): Promise<FormerStates> {
  const former = (before?.["former_states"] ?? {}) as FormerStates;
  const ids = Object.keys(former);
  if (ids.length === 0) return former;
  const parameters = createParameters(caller.organizationId, ids);
  const rows = await tx.query<{ id: string }>(
    `SELECT t.id FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.id = ANY($2)
       AND (t.state IN ('in_progress', 'on_hold') OR EXISTS (SELECT FROM history_events e
         WHERE e.organization_id = $1 AND e.task_id = t.id
           AND e.type IN ('task_state_changed', 'task_completed', 'task_cancelled')
           AND ${selectedSql(selection, parameters, "e")}))`,
    parameters.values,
  );
  return pick(former, ...rows.map(({ id }) => id));
}

/**
 * Returns the asset that a duplicate was merged into. It may have become a duplicate of this one
 * since.
 */
async function findMerged(
  { tx, caller }: Undoing,
  asset: AssetRecord,
  reference: string,
): Promise<Named> {
  const id = await getAssetId(tx, caller, reference, { field: "merged_into" });
  const kept = await tx.maybe<{ name: string; is_back: boolean }>(
    `WITH RECURSIVE chain AS (
       SELECT a.id, a.merged_into_asset_id AS next FROM assets a
         WHERE a.organization_id = $1 AND a.id = $2
       UNION SELECT a.id, a.merged_into_asset_id FROM assets a
         JOIN chain ON a.id = chain.next WHERE a.organization_id = $1)
     SELECT a.name, EXISTS (SELECT FROM chain WHERE chain.id = $3) AS is_back FROM assets a
     WHERE a.organization_id = $1 AND a.id = $2`,
    [caller.organizationId, id, asset.id],
  );
  if (kept === undefined || kept.is_back) {
    throw new AppError("invalid_transition", "merged_into_retired", { field: "merged_into" });
  }
  return { id, name: kept.name };
}

/** Returns true if work whose state someone else has changed since keeps the asset out of use. */
async function isKeptDown({ tx, caller, subject, selection }: Undoing): Promise<boolean> {
  const parameters = createParameters(caller.organizationId, subject.id);
  const selected = selectedSql(selection, parameters, "e");
  const rows = await tx.query(
    `SELECT FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND t.state IN ('in_progress', 'on_hold')
       AND t.started_at IS NOT NULL AND (t.requires_downtime OR t.asset_state_before IS NOT NULL)
       AND EXISTS (SELECT FROM history_events e
         WHERE e.organization_id = $1 AND e.task_id = t.id AND e.type = 'task_state_changed'
           AND (${selected}) IS NOT TRUE AND e.sequence > (SELECT max(e.sequence) FROM history_events e
             WHERE e.organization_id = $1 AND e.asset_id = $2 AND ${selected}
               AND e.type IN ('asset_state_changed', 'asset_deleted', 'asset_restored')))
     LIMIT 1`,
    parameters.values,
  );
  return rows.length > 0;
}

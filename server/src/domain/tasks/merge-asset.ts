import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireRoleIn, workspaceRefOf } from "../access/roles.js";
import type { AssetChange } from "../assets/asset-answers.js";
import { readAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { changeAssetState, type StateChange } from "../assets/change-asset-state.js";
import { beginSeveral } from "../history/change-all.js";
import { moveFiles } from "../files/move-files.js";
import { getAssetId, lockAssets } from "../shared/asset-references.js";
import { isOpen } from "./task-states.js";
import { updateTask } from "./task-updates.js";
import { momentOf } from "../access/clock.js";
import { recordEvents } from "../history/record-events.js";

export interface MergedAsset extends AssetChange {
  tasks_moved: number;
}

/** Others wait for the locks of a move. */
const maxMoved = 100;

/**
 * Retires a duplicate asset. It then links to the remaining asset, which gets its open tasks,
 * meters, photos and files. Each asset retains its history and comments.
 */
export async function mergeAsset(
  tx: Tx,
  caller: Caller,
  reference: string,
  { into, ...change }: Omit<StateChange, "mergedInto"> & { into: string },
): Promise<MergedAsset> {
  const field = "merged_into";
  if (change.state !== "deleted") {
    throw new AppError("validation_failed", "reason_without_deletion", { field });
  }
  const id = await getAssetId(tx, caller, reference);
  const keptId = await getAssetId(tx, caller, into, { field });
  if (id === keptId) throw new AppError("validation_failed", "merged_into_itself", { field });
  const refuseTooLong = await beginSeveral(tx, caller);
  await lockAssets(tx, caller, { assets: [id, keptId] });
  // Either asset may have moved out of view while waiting for the lock.
  await getAssetId(tx, caller, id);
  await getAssetId(tx, caller, keptId, { field });
  const kept = await readAssetRecord(tx, caller, keptId);
  await requireRoleIn(tx, caller, workspaceRefOf(kept), "member", "merge assets");
  if (kept.state === "deleted") {
    throw new AppError("invalid_transition", "merged_into_retired", { field });
  }
  const mergedInto = { id: keptId, name: kept.name };
  const reason = change.reason ?? "duplicate";
  await moveMeters(tx, caller, { from: id, to: kept });
  const moved = await moveOpenTasks(tx, caller, { from: id, to: keptId, refuseTooLong });
  await leaveMeters(tx, caller, { from: id, to: keptId });
  await moveFiles(tx, caller, { from: id, to: kept });
  const answer = await changeAssetState(tx, caller, id, { ...change, reason, mergedInto });
  return { ...answer, tasks_moved: moved };
}

/** Finished work isn't moved. A repetition that ended with it must not use another asset's meter. */
async function leaveMeters(
  tx: Tx,
  caller: Caller,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.query(
    `UPDATE maintenance_plans p SET meter_id = NULL FROM meters m
     WHERE p.organization_id = $1 AND m.organization_id = $1 AND m.id = p.meter_id AND m.asset_id = $3
       AND $2 = (SELECT t.asset_id FROM maintenance_tasks t
         WHERE t.organization_id = $1 AND t.plan_id = p.id ORDER BY t.occurrence DESC LIMIT 1)`,
    [caller.organizationId, from, to],
  );
}

async function moveOpenTasks(
  tx: Tx,
  caller: Caller,
  { from, to, refuseTooLong }: { from: string; to: string; refuseTooLong: () => void },
): Promise<number> {
  const open = await tx.query<{ id: string; task_number: string; state: string }>(
    `SELECT t.id, 'T-' || t.task_number AS task_number, t.state FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")} ORDER BY t.task_number
     LIMIT ${maxMoved + 1}`,
    [caller.organizationId, from],
  );
  const begun = open.find(({ state }) => state !== "scheduled");
  if (begun !== undefined) {
    const details = { field: "merged_into", task: begun.task_number };
    throw new AppError("invalid_transition", "merged_with_work_begun", details);
  }
  if (open.length > maxMoved) {
    const details = { field: "merged_into", max: maxMoved };
    throw new AppError("invalid_transition", "merged_with_much_work", details);
  }
  for (const { id } of open) {
    refuseTooLong();
    await updateTask(tx, caller, id, { asset_id: to });
  }
  return open.length;
}

/** Moves the meters whose names the other asset doesn't have. Both assets are locked. */
async function moveMeters(
  tx: Tx,
  caller: Caller,
  { from, to }: { from: string; to: AssetRecord },
): Promise<void> {
  const moved = await tx.query<{ name: string }>(
    `UPDATE meters m SET asset_id = $3
     WHERE m.organization_id = $1 AND m.asset_id = $2 AND NOT EXISTS (SELECT FROM meters kept
       WHERE kept.organization_id = $1 AND kept.asset_id = $3 AND kept.name = m.name)
     RETURNING m.name || ' (' || m.unit || ')' AS name`,
    [caller.organizationId, from, to.id],
  );
  if (moved.length === 0) return;
  const names = moved.map(({ name }) => name).sort();
  const lost = await readAssetRecord(tx, caller, from);
  const at = await momentOf(tx);
  const toEvent = ({ id, workspace_id }: AssetRecord, change: object) => ({
    type: "asset_updated" as const,
    assetId: id,
    workspaceId: workspace_id,
    occurredAt: at,
    recordedAt: at,
    changes: [{ field: "meters", ...change }],
  });
  await recordEvents(tx, caller, [toEvent(lost, { from: names }), toEvent(to, { to: names })]);
}

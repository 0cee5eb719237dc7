import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { MaintenanceTask, type TaskState } from "../../db/entities/tasks.js";
import { readAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { storeAssetState } from "../assets/store-asset-state.js";
import type { Caller } from "../access/caller.js";
import { isOpenState } from "./task-states.js";
import type { TaskRecord } from "./task-record.js";

/**
 * Takes the asset of a locked task out of use when work begins. Restores its former state when the
 * work ends or is postponed. Returns the asset's state if it changed.
 */
export async function syncAssetState(
  tx: Tx,
  caller: Caller,
  /** After its change. */
  task: TaskRecord,
  { before, completedAt }: { before: TaskState; completedAt: Date | undefined },
): Promise<AssetState | undefined> {
  if (task.asset_id === null || task.state === before) return undefined;
  const asset = await readAssetRecord(tx, caller, task.asset_id);
  if (task.state === "in_progress") return beginWork(tx, caller, task, asset);
  const ends = task.state === "scheduled" || !isOpenState(task.state);
  return ends ? endWork(tx, caller, task, { asset, completedAt }) : undefined;
}

async function beginWork(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  asset: AssetRecord,
): Promise<AssetState | undefined> {
  if (!task.requires_downtime || asset.state === "in_maintenance") return undefined;
  await remember(tx, caller, task.id, asset.state);
  const state = "in_maintenance";
  await storeAssetState(tx, caller, asset, { state, work: workOf(task) });
  return state;
}

async function endWork(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { asset, completedAt }: { asset: AssetRecord; completedAt: Date | undefined },
): Promise<AssetState | undefined> {
  const state = task.asset_state_before;
  if (state === null) return undefined;
  await remember(tx, caller, task.id, null);
  if (asset.state !== "in_maintenance") return undefined;
  const other = await findOtherWork(tx, caller, task);
  if (other !== undefined) {
    if (other.asset_state_before === null) await remember(tx, caller, other.id, state);
    return undefined;
  }
  await storeAssetState(tx, caller, asset, {
    state,
    effectiveAt: completedAt && (await notBeforeOthers(tx, caller, task, completedAt)),
    work: workOf(task),
  });
  return state;
}

/** Other work that ended later kept the asset out of use until then. */
async function notBeforeOthers(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  completedAt: Date,
): Promise<Date> {
  const row = await tx.maybe<{ at: Date }>(
    `SELECT greatest($4::timestamptz, max(coalesce(t.completed_at, t.cancelled_at))) AS at
     FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND t.id <> $3 AND t.requires_downtime
       AND t.started_at IS NOT NULL AND t.state IN ('completed', 'cancelled')`,
    [caller.organizationId, task.asset_id, task.id, completedAt],
  );
  return row?.at ?? completedAt;
}

function workOf({ id, type }: TaskRecord) {
  const downtimeKind = type === "corrective" ? "unplanned" : "planned";
  return { taskId: id, downtimeKind } as const;
}

/** Clears the asset's former state once the asset has left maintenance in another way. */
export async function forgetFormerState(tx: Tx, caller: Caller, taskId: string): Promise<void> {
  await tx.query(
    `UPDATE maintenance_tasks t SET asset_state_before = NULL FROM assets a
     WHERE t.organization_id = $1 AND t.id = $2 AND t.asset_state_before IS NOT NULL
       AND a.organization_id = $1 AND a.id = t.asset_id AND a.state <> 'in_maintenance'`,
    [caller.organizationId, taskId],
  );
}

type OtherWork = Pick<MaintenanceTask, "id" | "asset_state_before">;

/**
 * Finds other work that keeps the asset out of use. Prefers work with a former state, because that
 * state is newer.
 */
async function findOtherWork(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
): Promise<OtherWork | undefined> {
  return tx.maybe<OtherWork>(
    `SELECT t.id, t.asset_state_before FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND t.id <> $3
       AND t.state IN ('in_progress', 'on_hold') AND t.started_at IS NOT NULL
       AND (t.requires_downtime OR t.asset_state_before IS NOT NULL)
     ORDER BY t.asset_state_before IS NOT NULL DESC, t.started_at, t.id LIMIT 1`,
    [caller.organizationId, task.asset_id, task.id],
  );
}

async function remember(
  tx: Tx,
  caller: Caller,
  taskId: string,
  state: AssetState | null,
): Promise<void> {
  const where = { organization_id: caller.organizationId, id: taskId };
  await tx.update(MaintenanceTask, where, { asset_state_before: state });
}

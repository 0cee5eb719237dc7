import type { Tx } from "../../db/database.js";
import { Asset, AssetStatePeriod } from "../../db/entities/assets.js";
import { DeletionRecord } from "../../db/entities/people.js";
import type { MaintenanceTask } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { endPlansWithoutOpenTask, leavePlans } from "./asset-deletion-plans.js";
import { lockParents } from "./asset-parents.js";
import type { AssetRecord } from "./asset-record.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { toTimestamp } from "../shared/dates.js";
import { noteDeletionForWebhooks } from "../messaging/webhook-events.js";
import { recordEvents } from "../history/record-events.js";
import { forgetMeters } from "../meters/change-meters.js";
import { retireNumber } from "./inventory-numbers.js";
import { workspaceRefOf, requireRoleIn } from "../access/roles.js";
import { totalCost } from "../tasks/task-costs.js";
import { getVisibleAsset } from "./visible-assets.js";

export interface ForceDeletion {
  asset_id: string;
  /** Compared exactly as given. */
  confirm_inventory_number: string;
}

export interface ForceDeletedAsset {
  deleted: true;
  asset_id: string;
  inventory_number: string;
  name: string;
  tasks_removed: number;
  history_events_removed: number;
  /** Photos and files, including those of the asset's tasks. */
  files_removed: number;
}

export interface Loss {
  last_activity_at: string | null;
  /** Total of all its tasks, by currency. */
  recorded_cost: Record<string, number> | null;
  /** Set only while the warranty runs. */
  warranty_expires_on: string | null;
}

/** Permanently deletes an asset with its tasks and history. Its number can't be used again. */
export async function forceDeleteAsset(
  tx: Tx,
  caller: Caller,
  { asset_id: id, confirm_inventory_number: confirmation }: ForceDeletion,
): Promise<ForceDeletedAsset & Loss> {
  // Needed because the asset's parts lose their parent.
  await lockParents(tx, caller);
  const asset = await lockAsset(tx, caller, id);
  await requireRoleIn(tx, caller, workspaceRefOf(asset), "admin", "permanently delete assets");
  if (caller.lacksItForDestructive === true) {
    throw new AppError("forbidden", "second_factor_for_destructive");
  }
  if (confirmation !== asset.inventory_number) {
    const details = { field: "confirm_inventory_number" };
    throw new AppError("confirmation_mismatch", "wrong_confirmation", details);
  }
  const { tasks, events, files, ...loss } = await findLoss(tx, caller, asset);
  await recordDeletion(tx, caller, asset, { tasks, events });
  await erase(tx, caller, asset);
  await noteDeletionForWebhooks(tx, caller, id);
  const { inventory_number, name } = asset;
  return {
    deleted: true,
    asset_id: id,
    inventory_number,
    name,
    tasks_removed: tasks,
    history_events_removed: events,
    files_removed: files,
    ...loss,
  };
}

/**
 * Locks the asset, its parts and its duplicates in id order, like other code that locks several
 * assets. Waits for everyone who works on the asset or adds a task to it, and blocks newcomers.
 */
async function lockAsset(tx: Tx, caller: Caller, id: string): Promise<AssetRecord> {
  await getVisibleAsset(tx, caller, id);
  await tx.query(
    `SELECT 1 FROM assets
     WHERE organization_id = $1 AND (id = $2 OR parent_asset_id = $2 OR merged_into_asset_id = $2)
     ORDER BY id FOR UPDATE`,
    [caller.organizationId, id],
  );
  return getVisibleAsset(tx, caller, id);
}

/**
 * The tasks of asset $2, and its events, including events of its tasks from before they were on the
 * asset.
 */
const itsTasks = "SELECT id FROM maintenance_tasks WHERE organization_id = $1 AND asset_id = $2";
/**
 * An array, because PostgreSQL uses no index for a subquery next to another condition and reads the
 * whole table.
 */
const isOfItsTask = (id: string) => `${id} = ANY (ARRAY(${itsTasks}))`;
const isItsEvent = `organization_id = $1 AND (asset_id = $2 OR ${isOfItsTask("task_id")})`;
/** A file reported for one asset also belongs to the work, which may be on another asset. */
const isItsFile = `organization_id = $1 AND (asset_id = $2 OR asset_id IS NULL AND report_id IS NULL AND ${isOfItsTask("task_id")})
  AND (task_id IS NULL OR task_id IN (${itsTasks}))`;

async function findLoss(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
): Promise<Loss & { tasks: number; events: number; files: number }> {
  const found = await tx.one<{
    tasks: number;
    events: number;
    files: number;
    last_activity: Date | null;
    recorded_cost: Record<string, number> | null;
  }>(
    `SELECT (SELECT count(*)::int FROM (${itsTasks}) t) AS tasks, e.events, e.last_activity,
       (SELECT count(*)::int FROM files WHERE ${isItsFile}) AS files,
       (SELECT jsonb_object_agg(c.currency, c.total) FROM (
          SELECT t.currency::text AS currency, sum(${totalCost("t")})::float8 AS total
          FROM maintenance_tasks t
          WHERE t.organization_id = $1 AND t.asset_id = $2 AND t.currency IS NOT NULL
          GROUP BY t.currency) c WHERE c.total > 0) AS recorded_cost
     FROM (SELECT count(*)::int AS events, max(recorded_at) AS last_activity
           FROM history_events WHERE ${isItsEvent}) e`,
    [caller.organizationId, asset.id],
  );
  const { warranty_expires_on: warranty } = asset;
  return {
    tasks: found.tasks,
    events: found.events,
    files: found.files,
    last_activity_at: found.last_activity && toTimestamp(found.last_activity),
    recorded_cost: found.recorded_cost,
    warranty_expires_on: warranty !== null && warranty >= todayOf(caller) ? warranty : null,
  };
}

async function recordDeletion(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  { tasks, events }: { tasks: number; events: number },
): Promise<void> {
  const { workspace_id, workspace_name, inventory_number } = asset;
  const loss = {
    asset_name: asset.name,
    client_name: caller.client?.name ?? null,
    tasks_removed: tasks,
    events_removed: events,
  };
  await tx.insert(DeletionRecord, {
    organization_id: caller.organizationId,
    workspace_id,
    workspace_name,
    asset_id: asset.id,
    inventory_number,
    actor_user_id: caller.userId,
    actor_name: caller.userName,
    client_id: caller.client?.id ?? null,
    ...loss,
    deleted_at: () => "app_now()",
  });
  await recordCallerActivity(tx, caller, "asset_force_deleted", {
    asset_id: asset.id,
    inventory_number,
    ...loss,
  });
}

async function erase(tx: Tx, caller: Caller, asset: AssetRecord): Promise<void> {
  const its: [string, string] = [caller.organizationId, asset.id];
  // Disables the history guard for this one statement.
  await tx.query("SET LOCAL fettle.force_delete = 'on'");
  await tx.query(`DELETE FROM history_events WHERE ${isItsEvent}`, its);
  await tx.query("SET LOCAL fettle.force_delete = 'off'");
  // Also deletes the response that a repeated creation call would return.
  await tx.query(
    `DELETE FROM idempotency_records WHERE organization_id = $1
       AND (result #>> '{asset,id}' = $2 OR result #>> '{task,asset_id}' = $2)`,
    its,
  );
  // Also deletes rows of imports and undos about the asset.
  await tx.query(
    `DELETE FROM change_set_rows WHERE organization_id = $1
       AND (subject_id = $2 OR ${isOfItsTask("subject_id")})`,
    its,
  );
  // Stored warnings contain former names and numbers of other assets and tasks.
  await tx.query(
    `UPDATE idempotency_records SET result = result - 'warnings'
     WHERE organization_id = $1 AND jsonb_exists(result, 'warnings')`,
    [caller.organizationId],
  );
  await tx.query(
    `DELETE FROM task_checklist_items WHERE organization_id = $1 AND task_id IN (${itsTasks})`,
    its,
  );
  await leaveReported(tx, its);
  await leavePlans(tx, its);
  const tasks = await tx.query<Pick<MaintenanceTask, "plan_id">>(
    "DELETE FROM maintenance_tasks WHERE organization_id = $1 AND asset_id = $2 RETURNING plan_id",
    its,
  );
  const plans = new Set(tasks.map((task) => task.plan_id).filter((plan) => plan !== null));
  const { organizationId: organization_id } = caller;
  // Some plans may continue on another asset.
  await tx.query(
    `DELETE FROM maintenance_plans p WHERE p.organization_id = $1 AND p.id = ANY ($2::text[])
       AND NOT EXISTS (SELECT FROM maintenance_tasks t
         WHERE t.organization_id = $1 AND t.plan_id = p.id)`,
    [organization_id, [...plans]],
  );
  await endPlansWithoutOpenTask(tx, caller, [...plans]);
  await forgetMeters(tx, caller, { of: "asset", id: asset.id });
  await tx.delete(AssetStatePeriod, { organization_id, asset_id: asset.id });
  await detachParts(tx, caller, asset.id);
  await tx.query(
    `UPDATE assets SET merged_into_asset_id = NULL, version = version + 1, updated_at = app_now()
     WHERE organization_id = $1 AND merged_into_asset_id = $2`,
    its,
  );
  await retireNumber(tx, caller, asset.inventory_number);
  await tx.delete(Asset, { organization_id, id: asset.id });
}

/**
 * Keeps reports of other assets and of places, and photos whose asset or work remains. Foreign keys would delete
 * them.
 */
async function leaveReported(tx: Tx, its: readonly [string, string]): Promise<void> {
  // Without an asset, they are of a reported place. Other files without an asset have no report.
  const isOfOther = `organization_id = $1 AND asset_id IS DISTINCT FROM $2 AND task_id IN (${itsTasks})`;
  await tx.query(`UPDATE problem_reports SET task_id = NULL WHERE ${isOfOther}`, [...its]);
  await tx.query(
    `UPDATE files SET task_id = NULL WHERE ${isOfOther}
       AND (asset_id IS NOT NULL OR report_id IS NOT NULL)`,
    [...its],
  );
  await tx.query(
    `UPDATE files SET asset_id = NULL, report_id = NULL
     WHERE organization_id = $1 AND asset_id = $2 AND task_id IS NOT NULL
       AND NOT ${isOfItsTask("task_id")}`,
    [...its],
  );
}

/** Keeps the parts. Each gets an event that doesn't name the deleted asset. */
async function detachParts(tx: Tx, caller: Caller, id: string): Promise<void> {
  const parts = await tx.query<Pick<Asset, "id" | "workspace_id"> & { at: Date }>(
    `UPDATE assets SET parent_asset_id = NULL, version = version + 1, updated_at = app_now()
     WHERE organization_id = $1 AND parent_asset_id = $2
     RETURNING id, workspace_id, updated_at AS at`,
    [caller.organizationId, id],
  );
  await recordEvents(
    tx,
    caller,
    parts.map((part) => ({
      type: "asset_moved",
      assetId: part.id,
      workspaceId: part.workspace_id,
      occurredAt: part.at,
      recordedAt: part.at,
      changes: [{ field: "parent_asset_id", from: id }],
      bySystem: true,
    })),
  );
}

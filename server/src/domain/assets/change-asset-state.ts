import type { Tx } from "../../db/database.js";
import type { AssetState, DeletionReason } from "../../db/entities/assets.js";
import { AppError } from "../../errors.js";
import type { Named } from "../shared/refusals.js";
import { toSummary, type AssetChange } from "./asset-answers.js";
import { lockAssetRecord, type AssetRecord } from "./asset-record.js";
import { storeAssetState } from "./store-asset-state.js";
import { findPartsWarning } from "./asset-warnings.js";
import type { Caller } from "../access/caller.js";
import { isFuture, nowOf } from "../access/clock.js";
import { toTimestamp } from "../shared/dates.js";
import { workspaceRefOf, requireRoleIn } from "../access/roles.js";
import { isOpen } from "../tasks/task-states.js";
import { cleanNote } from "../shared/text.js";
import { checkVersion } from "../history/versions.js";

export interface StateChange {
  state: AssetState;
  /** Only with state "deleted". */
  reason?: DeletionReason | undefined;
  /** Only with state "deleted". See `merge-asset.ts`. */
  mergedInto?: Named | undefined;
  note?: string | undefined;
  /** The actual time of the change. Defaults to now. */
  effectiveAt?: Date | undefined;
  expectedVersion?: number | undefined;
}

const maxDaysBack = 90;
export const restoredStates = ["available", "in_use", "stored"] as const;

/** Changes an asset's state. "deleted" retires it, and another state restores a retired asset. */
export async function changeAssetState(
  tx: Tx,
  caller: Caller,
  reference: string,
  change: StateChange,
): Promise<AssetChange> {
  checkArguments(caller, change);
  const note = cleanNote(change.note);
  const asset = await lockAssetRecord(tx, caller, reference);
  await checkStateChange(tx, caller, asset, change);
  if (asset.state === change.state) return unchanged(caller, asset, change);

  const { version, changed } = await storeAssetState(tx, caller, asset, { ...change, note });
  const deleted = change.state === "deleted";
  return {
    asset: toSummary(caller, { ...asset, state: change.state, version }),
    changed,
    warnings: deleted ? await findPartsWarning(tx, caller, asset.id) : [],
    ...(deleted && { open_tasks_hidden: await countOpenTasks(tx, caller, asset.id) }),
  };
}

export async function checkStateChange(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  change: StateChange,
): Promise<void> {
  await requireRoleIn(tx, caller, workspaceRefOf(asset), "member", "change the state of an asset");
  await checkVersion(tx, caller, { kind: "asset", ...asset }, change.expectedVersion);
  if (asset.state !== change.state) checkTransition(caller, asset, change);
}

/** Open tasks are kept and return with the asset. */
async function countOpenTasks(tx: Tx, caller: Caller, assetId: string): Promise<number> {
  const row = await tx.maybe<{ open: number }>(
    `SELECT count(*)::int AS open FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")}`,
    [caller.organizationId, assetId],
  );
  return row?.open ?? 0;
}

function checkArguments(caller: Caller, { state, reason, effectiveAt }: StateChange): void {
  if (reason !== undefined && state !== "deleted") {
    throw new AppError("validation_failed", "reason_without_deletion", { field: "reason" });
  }
  if (effectiveAt === undefined) return;
  const field = "effective_at";
  if (isFuture(caller, effectiveAt)) {
    throw new AppError("validation_failed", "in_future", { field });
  }
  const age = nowOf(caller).getTime() - effectiveAt.getTime();
  if (age > maxDaysBack * 86_400_000) {
    throw new AppError("validation_failed", "too_far_back", { field, days: maxDaysBack });
  }
}

function checkTransition(
  { timeZone }: Caller,
  asset: AssetRecord,
  { state, effectiveAt }: StateChange,
): void {
  if (asset.state === "deleted" && !restoredStates.some((one) => one === state)) {
    throw new AppError("invalid_transition", "only_restored", { field: "state" });
  }
  // Responses give times in seconds, so any time in the second of the last change is accepted.
  const lastChange = Math.floor(asset.state_changed_at.getTime() / 1000) * 1000;
  if (effectiveAt !== undefined && effectiveAt.getTime() < lastChange) {
    const details = { field: "effective_at", at: toTimestamp(asset.state_changed_at), timeZone };
    throw new AppError("validation_failed", "before_last_change", details);
  }
}

function unchanged(caller: Caller, asset: AssetRecord, change: StateChange): AssetChange {
  return {
    asset: toSummary(caller, asset),
    changed: [],
    warnings: [
      {
        key: "state_is_so",
        state: asset.state,
        note: change.note !== undefined,
        reason: change.reason !== undefined,
      },
    ],
  };
}

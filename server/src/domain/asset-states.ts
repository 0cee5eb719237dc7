import type { HistoryEventType } from "../db/entities/history-event.js";
import type { EntityManager } from "typeorm";
import type { AssetState, DeletionReason } from "../db/entities/asset.js";
import { AppError } from "../errors.js";
import { restoreHint, toSummary, type AssetChange } from "./asset-answers.js";
import { readAssetRecord, type AssetRecord } from "./asset-record.js";
import { getAssetId } from "./asset-references.js";
import { findPartsWarning } from "./asset-warnings.js";
import type { Caller } from "./caller.js";
import { toTimestamp } from "./dates.js";
import { recordEvent, type Change } from "./history.js";
import { placeOf, requireRoleIn } from "./roles.js";
import { cleanText } from "./text.js";
import { checkAssetVersion } from "./versions.js";

export interface StateChange {
  state: AssetState;
  /** Only with state "deleted". */
  reason?: DeletionReason | undefined;
  note?: string | undefined;
  /** When it really happened; now when left out. */
  effectiveAt?: Date | undefined;
  expectedVersion?: number | undefined;
}

const mostDaysBack = 90;
/** Clocks of clients may run a little ahead of ours. */
const clockSkewMs = 60_000;
const statesAfterDeletion: readonly AssetState[] = ["available", "in_use", "stored"];

/** Changes the state of an asset; to "deleted" retires it, and from there restores it. */
export async function changeAssetState(
  tx: EntityManager,
  caller: Caller,
  reference: string,
  change: StateChange,
): Promise<AssetChange> {
  checkArguments(change);
  const note =
    change.note === undefined
      ? undefined
      : cleanText(change.note, { field: "note", max: 1000, multiline: true });
  const id = await getAssetId(tx, caller, reference, { lock: true });
  const asset = await readAssetRecord(tx, caller, id);
  await requireRoleIn(tx, caller, placeOf(asset), "member", "change the state of an asset");
  await checkAssetVersion(tx, caller, asset, change.expectedVersion);
  if (asset.state === change.state) return unchanged(caller, asset, change);
  checkTransition(asset, change);

  const { at, recordedAt, version } = await storeState(tx, caller, asset, change);
  await openPeriod(tx, caller, asset, change.state, at);
  const changed = describe(asset, change);
  await recordEvent(tx, caller, {
    type: eventTypeOf(asset.state, change.state),
    assetId: id,
    workspaceId: asset.workspace_id,
    occurredAt: at,
    recordedAt,
    changes: changed,
    note,
  });
  const deleted = change.state === "deleted";
  return {
    asset: toSummary(caller, { ...asset, state: change.state, version }),
    changed,
    warnings: deleted ? await findPartsWarning(tx, caller, id) : [],
    ...(deleted && { restore_hint: restoreHint }),
  };
}

/** The first period of a new asset. */
export async function openFirstPeriod(
  tx: EntityManager,
  caller: Caller,
  asset: { id: string; state: AssetState },
  at: Date,
): Promise<void> {
  await insertPeriod(tx, caller, { assetId: asset.id, state: asset.state, at });
}

function checkArguments({ state, reason, effectiveAt }: StateChange): void {
  if (reason !== undefined && state !== "deleted") {
    throw wrong("reason", 'goes only with state "deleted". Use note for why the state changes');
  }
  if (effectiveAt === undefined) return;
  const age = Date.now() - effectiveAt.getTime();
  if (age < -clockSkewMs) throw wrong("effective_at", "must not lie in the future");
  if (age > mostDaysBack * 86_400_000) {
    throw wrong("effective_at", `must be at most ${mostDaysBack} days back`);
  }
}

function checkTransition(asset: AssetRecord, { state, effectiveAt }: StateChange): void {
  if (asset.state === "deleted" && !statesAfterDeletion.includes(state)) {
    throw new AppError(
      "invalid_transition",
      "Not possible: a deleted asset can only become available, in_use or stored. Restore it first.",
      { field: "state" },
    );
  }
  // Answers give times to the second, so the second of the last change is not before it.
  const lastChange = Math.floor(asset.state_changed_at.getTime() / 1000) * 1000;
  if (effectiveAt !== undefined && effectiveAt.getTime() < lastChange) {
    throw wrong(
      "effective_at",
      `lies before the last change of state, ${toTimestamp(asset.state_changed_at)}`,
    );
  }
}

function unchanged(caller: Caller, asset: AssetRecord, change: StateChange): AssetChange {
  const lost =
    (change.note === undefined ? "" : " The note was not kept; use update_asset for it.") +
    (change.reason === undefined
      ? ""
      : " The reason was not changed; restore the asset and retire it again with the right one.");
  return {
    asset: toSummary(caller, asset),
    changed: [],
    warnings: [`Nothing changed: the asset is already ${asset.state}.${lost}`],
    ...(asset.state === "deleted" && { restore_hint: restoreHint }),
  };
}

/** Never before the last change, even where clocks disagree: periods must not overlap. */
async function storeState(
  tx: EntityManager,
  caller: Caller,
  asset: AssetRecord,
  { state, reason, effectiveAt }: StateChange,
): Promise<{ at: Date; recordedAt: Date; version: number }> {
  const deleted = state === "deleted";
  const [rows]: [{ at: Date; recorded_at: Date; version: number }[], number] = await tx.query(
    `UPDATE assets SET state = $3,
       state_changed_at = greatest(state_changed_at, least($4, clock_timestamp())),
       deleted_at = CASE WHEN $5 THEN greatest(state_changed_at, least($4, clock_timestamp())) END,
       deletion_reason = $6, state_before_deletion = $7,
       updated_at = clock_timestamp(), version = version + 1
     WHERE organization_id = $1 AND id = $2
     RETURNING state_changed_at AS at, updated_at AS recorded_at, version`,
    [
      caller.organizationId,
      asset.id,
      state,
      effectiveAt ?? null,
      deleted,
      reason ?? null,
      deleted ? asset.state : null,
    ],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`The locked asset ${asset.id} is gone.`);
  return { at: row.at, recordedAt: row.recorded_at, version: row.version };
}

async function openPeriod(
  tx: EntityManager,
  caller: Caller,
  asset: AssetRecord,
  state: AssetState,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE asset_state_periods SET ended_at = greatest(started_at, $3::timestamptz)
     WHERE organization_id = $1 AND asset_id = $2 AND ended_at IS NULL`,
    [caller.organizationId, asset.id, at],
  );
  await insertPeriod(tx, caller, { assetId: asset.id, state, at, before: asset.state });
}

async function insertPeriod(
  tx: EntityManager,
  caller: Caller,
  period: { assetId: string; state: AssetState; at: Date; before?: AssetState },
): Promise<void> {
  await tx.query(
    `INSERT INTO asset_state_periods (organization_id, asset_id, state, started_at, downtime_kind)
     VALUES ($1, $2, $3, $4, $5)`,
    [
      caller.organizationId,
      period.assetId,
      period.state,
      period.at,
      downtimeKind(period.state, period.before),
    ],
  );
}

/** A breakdown, and the repair that follows it, is not planned; other maintenance is. */
function downtimeKind(state: AssetState, before?: AssetState): string | null {
  if (state === "out_of_service") return "unplanned";
  if (state !== "in_maintenance") return null;
  return before === "out_of_service" ? "unplanned" : "planned";
}

function describe(asset: AssetRecord, { state, reason }: StateChange): Change[] {
  const changes: Change[] = [{ field: "state", from: asset.state, to: state }];
  const before = asset.deletion_reason;
  if (before !== null || reason !== undefined) {
    changes.push({
      field: "deletion_reason",
      ...(before !== null && { from: before }),
      ...(reason !== undefined && { to: reason }),
    });
  }
  return changes;
}

function eventTypeOf(from: AssetState, to: AssetState): HistoryEventType {
  if (to === "deleted") return "asset_deleted";
  return from === "deleted" ? "asset_restored" : "asset_state_changed";
}

function wrong(field: string, reason: string): AppError {
  return new AppError("validation_failed", `Validation failed: ${field} ${reason}.`, { field });
}

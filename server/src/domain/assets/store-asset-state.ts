import { IsNull, Not, type Tx } from "../../db/database.js";
import {
  type AssetState,
  type DeletionReason,
  AssetStatePeriod,
  liveAssetStates,
  type DowntimeKind,
} from "../../db/entities/assets.js";
import type { HistoryEventType } from "../../db/entities/history.js";
import { MaintenanceTask } from "../../db/entities/tasks.js";
import type { AssetRecord } from "./asset-record.js";
import type { Actor } from "../access/caller.js";
import { toChange } from "../history/differences.js";
import type { Named } from "../shared/refusals.js";
import { pick } from "../shared/omit.js";
import { recordEvent, type Change } from "../history/record-events.js";

/** By task id: the state that the task restores on the asset. Null for none. */
export type FormerStates = Readonly<Record<string, AssetState | null>>;

export interface NewState {
  state: AssetState;
  reason?: DeletionReason | undefined;
  /** The remaining asset, if this one is a duplicate. */
  mergedInto?: Named | undefined;
  note?: string | undefined;
  /** The actual time of the change. Defaults to now. */
  effectiveAt?: Date | undefined;
  /** For a retired asset, the state before it was retired. Defaults to its current state. */
  stateBefore?: AssetState | null | undefined;
  /** Known downtime. Otherwise it is derived from the states and the work. */
  downtime?: Pick<AssetStatePeriod, "downtime_kind" | "task_id"> | undefined;
  /**
   * The states that running work restores later, set when an undo restores the state. Manual
   * changes clear them.
   */
  formerStates?: FormerStates | undefined;
  /**
   * The work that takes the asset out of use or returns it. The change is then made by the system.
   */
  work?: { taskId: string; downtimeKind: DowntimeKind };
}

/** Stores a new state of a locked asset, with its period and history. */
export async function storeAssetState(
  tx: Tx,
  caller: Actor,
  asset: AssetRecord,
  change: NewState,
): Promise<{ version: number; changed: Change[] }> {
  const { at, recordedAt, version } = await storeState(tx, caller, asset, change);
  const isEnd = change.work === undefined && asset.state === "in_maintenance";
  const { formerStates = isEnd ? await findForgotten(tx, caller, asset.id) : {} } = change;
  const before = {
    ...(asset.state === "deleted" && { state_before_deletion: asset.state_before_deletion }),
    ...(await setFormerStates(tx, caller, asset.id, formerStates)),
  };
  const changed = describeNewState(asset, change);
  await recordEvent(tx, caller, {
    type: eventTypeOf(asset.state, change.state),
    assetId: asset.id,
    workspaceId: asset.workspace_id,
    occurredAt: at,
    recordedAt,
    changes: changed,
    note: change.note,
    ...(Object.keys(before).length > 0 && { before }),
    ...(change.work !== undefined && { taskId: change.work.taskId, bySystem: true }),
  });
  return { version, changed };
}

/**
 * A person who ends maintenance by hand has decided the state, so running work restores nothing.
 */
async function findForgotten(
  tx: Tx,
  { organizationId: organization_id }: Actor,
  assetId: string,
): Promise<FormerStates> {
  const where = { organization_id, asset_id: assetId, asset_state_before: Not(IsNull()) };
  const found = await tx.find(MaintenanceTask, { select: { id: true }, where });
  return Object.fromEntries(found.map(({ id }) => [id, null]));
}

/** Returns the former values for the history, from which an undo restores them. */
async function setFormerStates(
  tx: Tx,
  { organizationId }: Actor,
  assetId: string,
  states: FormerStates,
): Promise<{ former_states?: FormerStates }> {
  if (Object.keys(states).length === 0) return {};
  const rows = await tx.query<{ id: string; former: AssetState | null }>(
    `WITH present AS (
       SELECT t.id, t.asset_state_before AS former, s.value AS state
       FROM maintenance_tasks t JOIN jsonb_each_text($3) s ON s.key = t.id
       WHERE t.organization_id = $1 AND t.asset_id = $2
     ), changed AS (
       UPDATE maintenance_tasks t SET asset_state_before = p.state FROM present p
       WHERE t.organization_id = $1 AND t.id = p.id
     )
     SELECT id, former FROM present`,
    [organizationId, assetId, JSON.stringify(states)],
  );
  return { former_states: Object.fromEntries(rows.map(({ id, former }) => [id, former])) };
}

const firstDowntimes = liveAssetStates.flatMap((state) => {
  const { downtime_kind: kind } = downtimeOf(state);
  return kind === null ? [] : `WHEN '${state}' THEN '${kind}'`;
});

/** SQL that opens the first periods of the new assets in `made`. */
export const openFirstPeriodsSql = `INSERT INTO asset_state_periods
    (organization_id, asset_id, state, started_at, downtime_kind)
  SELECT organization_id, id, state, created_at, CASE state ${firstDowntimes.join(" ")} END
  FROM made`;

/**
 * Also starts a period where the previous one ends. Its start is never before the last change, even
 * if clocks disagree, because periods must not overlap. Setting a usable state by hand, or retiring
 * the asset, settles reports that it can't be used.
 */
async function storeState(
  tx: Tx,
  caller: Actor,
  asset: AssetRecord,
  { state, reason, mergedInto, effectiveAt, stateBefore = asset.state, ...change }: NewState,
): Promise<{ at: Date; recordedAt: Date; version: number }> {
  const deleted = state === "deleted";
  const { downtime = downtimeOf(state, asset.state, change.work) } = change;
  const row = await tx.one<{ at: Date; recorded_at: Date; version: number }>(
    `WITH changed AS (
       UPDATE assets SET state = $3,
         state_changed_at = greatest(state_changed_at, least($4, app_now())),
         deleted_at = CASE WHEN $5 THEN greatest(state_changed_at, least($4, app_now())) END,
         deletion_reason = $6, state_before_deletion = $7, merged_into_asset_id = $10,
         updated_at = app_now(), version = version + 1
       WHERE organization_id = $1 AND id = $2
       RETURNING state_changed_at AS at, updated_at AS recorded_at, version
     ), ended AS (
       UPDATE asset_state_periods SET ended_at = greatest(started_at, at) FROM changed
       WHERE organization_id = $1 AND asset_id = $2 AND ended_at IS NULL RETURNING TRUE
     ), opened AS (
       INSERT INTO asset_state_periods
         (organization_id, asset_id, state, started_at, downtime_kind, task_id)
       SELECT $1, $2, $3, at, $8, $9 FROM changed, (SELECT count(*) FROM ended) e
     ), settled AS (
       UPDATE problem_reports SET usable_again_at = at FROM changed
       WHERE $11 AND organization_id = $1 AND asset_id = $2 AND NOT still_usable AND usable_again_at IS NULL
     )
     SELECT at, recorded_at, version FROM changed`,
    [
      caller.organizationId,
      asset.id,
      state,
      effectiveAt ?? null,
      deleted,
      reason ?? null,
      deleted ? stateBefore : null,
      downtime.downtime_kind,
      downtime.task_id,
      mergedInto?.id ?? null,
      change.work === undefined && !isDown(state),
    ],
  );
  return { at: row.at, recordedAt: row.recorded_at, version: row.version };
}

/** A breakdown and the repair after it are unplanned. Other maintenance is planned. */
function downtimeOf(
  state: AssetState,
  before?: AssetState,
  work?: NewState["work"],
): Pick<AssetStatePeriod, "downtime_kind" | "task_id"> {
  if (!isDown(state)) return { downtime_kind: null, task_id: null };
  const isBreakdown = [state, before].includes("out_of_service");
  const kind = isBreakdown ? "unplanned" : "planned";
  return { downtime_kind: work?.downtimeKind ?? kind, task_id: work?.taskId ?? null };
}

export async function findLastDowntime(
  tx: Tx,
  caller: Actor,
  assetId: string,
  state: AssetState,
): Promise<NewState["downtime"]> {
  if (!isDown(state)) return undefined;
  const { organizationId: organization_id } = caller;
  const found = await tx.findOne(AssetStatePeriod, {
    where: { organization_id, asset_id: assetId, state, ended_at: Not(IsNull()) },
    order: { ended_at: "DESC" },
  });
  return found === undefined ? undefined : pick(found, "downtime_kind", "task_id");
}

function isDown(state: AssetState): boolean {
  return state === "in_maintenance" || state === "out_of_service";
}

export function describeNewState(
  asset: Pick<AssetRecord, "state" | "deletion_reason" | "merged_into_asset_id">,
  { state, reason, mergedInto }: Pick<NewState, "state" | "reason" | "mergedInto">,
): Change[] {
  const changes: Change[] = [{ field: "state", from: asset.state, to: state }];
  const before = asset.deletion_reason;
  if (before !== null || reason !== undefined) {
    changes.push({
      field: "deletion_reason",
      ...(before !== null && { from: before }),
      ...(reason !== undefined && { to: reason }),
    });
  }
  const former = asset.merged_into_asset_id;
  if (former !== null || mergedInto !== undefined) {
    changes.push(toChange("merged_into_asset_id", former, mergedInto?.id));
  }
  if (mergedInto !== undefined) changes.push({ field: "merged_into", to: mergedInto.name });
  return changes;
}

function eventTypeOf(from: AssetState, to: AssetState): HistoryEventType {
  if (to === "deleted") return "asset_deleted";
  return from === "deleted" ? "asset_restored" : "asset_state_changed";
}

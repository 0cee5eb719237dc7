import { createParameters } from "../../db/parameters.js";
import { Meter } from "../../db/entities/meters.js";
import type { AssetRecord } from "../assets/asset-record.js";
import { toChange } from "../history/differences.js";
import { orConflict, type Conflict, type Undoing } from "../history/outcomes.js";
import { selectedSql } from "../history/selections.js";
import { toKeptUsage } from "../shared/usage.js";
import { isOpen } from "../tasks/task-states.js";
import { findWorkOf, forgetMeters } from "./change-meters.js";
import {
  recordReadings,
  toMeterField,
  type KeptReading,
  type RecordedReadings,
} from "./record-readings.js";

/** A meter with selected readings, and its last other reading. */
interface ReadMeter {
  id: string;
  name: string;
  unit: string;
  value: number;
  ids: string[];
  totals: number[];
  /** True if the meter is on another asset, or was replaced at or after one of the readings. */
  is_kept: boolean;
  last_value: number | null;
  last_at: Date | null;
  last_usage_before: number;
}

/**
 * Removes the readings that the selected events recorded, and records again those that they
 * removed. The due dates are restored with their tasks, which follow.
 */
export async function undoReadings(
  undoing: Undoing,
  asset: AssetRecord,
  conflicts: Conflict[],
): Promise<RecordedReadings> {
  const selected = await findSelected(undoing, asset);
  const again = selected.filter(({ isRemoved }) => isRemoved);
  const recorded = await removeReadings(undoing, asset, selected, conflicts);
  if (!undoing.isApplied) {
    const changes = again.map(({ added, value }) =>
      toChange(toMeterField(added.name), null, toKeptUsage(value, added.unit)),
    );
    return { ...recorded, changes: [...recorded.changes, ...changes] };
  }
  for (const reading of again) {
    await orConflict(conflicts, "meters", async () => {
      const { changes, kept } = await recordReadings(undoing.tx, undoing.caller, asset, [reading]);
      recorded.changes.push(...changes);
      recorded.kept.push(...kept);
    });
  }
  return recorded;
}

/** Returns the readings of the selected events, in the order of their times. */
async function findSelected(
  { tx, caller, selection }: Undoing,
  asset: AssetRecord,
): Promise<KeptReading[]> {
  const parameters = createParameters(caller.organizationId, asset.id);
  const rows = await tx.query<{ readings: KeptReading[] }>(
    `SELECT e.before -> 'readings' AS readings FROM history_events e
     WHERE e.organization_id = $1 AND e.asset_id = $2 AND e.type = 'asset_updated'
       AND e.before -> 'readings' IS NOT NULL AND ${selectedSql(selection, parameters, "e")}
     ORDER BY e.sequence`,
    parameters.values,
  );
  return rows
    .flatMap(({ readings }) => readings)
    .map((reading) => ({ ...reading, readAt: new Date(reading.readAt) }))
    .toSorted((left, right) => left.readAt.getTime() - right.readAt.getTime());
}

async function removeReadings(
  undoing: Undoing,
  asset: AssetRecord,
  selected: readonly KeptReading[],
  conflicts: Conflict[],
): Promise<RecordedReadings> {
  const result: RecordedReadings = { changes: [], warnings: [], readAt: undefined, kept: [] };
  for (const meter of await findRead(undoing, asset, selected)) {
    const { id, name, unit, value, last_value: last } = meter;
    if (meter.is_kept) {
      const refusal = { code: "conflict", key: "reading_not_undone", params: { name } } as const;
      conflicts.push({ field: "meters", refusal });
      continue;
    }
    const removed = selected.filter((reading) => meter.ids.includes(reading.id));
    const from = value === last ? removed.at(-1)?.value : value;
    const to = value === last || last === null ? null : toKeptUsage(last, unit);
    result.changes.push(toChange(toMeterField(name), toKeptUsage(from ?? value, unit), to));
    const added = { name, unit };
    result.kept.push(...removed.map((one) => ({ ...one, meter: id, added, isRemoved: true })));
    const isAdded = removed.some(({ isFirst }) => isFirst);
    if (undoing.isApplied) await removeFrom(undoing, asset, { ...meter, isAdded });
  }
  return result;
}

async function findRead(
  { tx, caller }: Undoing,
  asset: AssetRecord,
  selected: readonly KeptReading[],
): Promise<ReadMeter[]> {
  const ids = selected.flatMap(({ id, isRemoved }) => (isRemoved ? [] : [id]));
  if (ids.length === 0) return [];
  const isOther = "r.organization_id = $1 AND r.meter_id = m.id AND r.id <> ALL ($3::text[])";
  return tx.query(
    `SELECT m.id, m.name::text AS name, m.unit, m.value::float8 AS value, gone.ids, gone.totals,
       m.asset_id <> $2 OR EXISTS (SELECT FROM meter_readings r WHERE ${isOther}
         AND r.read_at >= gone.first AND (r.replaced OR gone.replaced)) AS is_kept,
       last.value::float8 AS last_value, last.read_at AS last_at,
       coalesce(last.total - last.value, 0)::float8 AS last_usage_before
     FROM (SELECT meter_id, array_agg(id) AS ids, array_agg(total::float8) AS totals,
         min(read_at) AS first, bool_or(replaced) AS replaced
       FROM meter_readings WHERE organization_id = $1 AND id = ANY ($3::text[]) GROUP BY 1) gone
     JOIN meters m ON m.organization_id = $1 AND m.id = gone.meter_id
     LEFT JOIN LATERAL (SELECT r.value, r.total, r.read_at FROM meter_readings r WHERE ${isOther}
       ORDER BY r.read_at DESC, r.recorded_at DESC LIMIT 1) last ON true
     ORDER BY m.name`,
    [caller.organizationId, asset.id, ids],
  );
}

async function removeFrom(
  { tx, caller }: Undoing,
  { id: assetId }: AssetRecord,
  { id, ids, totals, isAdded, ...last }: ReadMeter & { isAdded: boolean },
): Promise<void> {
  const { organizationId: organization_id } = caller;
  await tx.query("DELETE FROM meter_readings WHERE organization_id = $1 AND id = ANY ($2)", [
    organization_id,
    ids,
  ]);
  const { last_value: value, last_at: read_at, last_usage_before: usage_before } = last;
  await tx.update(Meter, { organization_id, id }, { value, read_at, usage_before });
  if (value !== null) return;
  // Counting starts again with the next first reading.
  await tx.query(
    `UPDATE maintenance_tasks t SET due_usage = NULL FROM maintenance_plans p
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")}
       AND p.organization_id = $1 AND p.id = t.plan_id AND p.meter_id = $3
       AND t.due_usage - p.every_usage = ANY ($4::numeric[])`,
    [organization_id, assetId, id, totals],
  );
  if (!isAdded || (await findWorkOf(tx, caller, { id, assetId })).length > 0) return;
  await forgetMeters(tx, caller, { of: "meter", id });
  await tx.delete(Meter, { organization_id, id });
}

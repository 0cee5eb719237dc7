import type { Tx } from "../../db/database.js";
import { MeterReading, Meter } from "../../db/entities/meters.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { isFuture, momentOf } from "../access/clock.js";
import { limitSeveral } from "../history/change-all.js";
import { toChange } from "../history/differences.js";
import type { Change } from "../history/record-events.js";
import { createId } from "../shared/ids.js";
import type { Warning } from "../shared/warnings.js";
import { formatUsage, toCents, toKeptUsage } from "../shared/usage.js";
import { bringForward, putBack } from "./due-by-usage.js";
import { cleanMeter, findMeters, noSuchMeter, pickMeter, storeMeter } from "./meters.js";
import type { FoundMeter } from "./meters.js";
import { findOddWarning } from "./odd-readings.js";
import { describeUnit } from "./units.js";

export interface GivenReading {
  /** Name, id, or a unit that only one meter has. */
  meter: string;
  value: number;
  /** Defaults to now. */
  readAt?: Date | undefined;
  /** True for the first reading of a replacement meter. */
  isReplaced?: boolean | undefined;
  /** The meter to add if `meter` doesn't exist. Defaults to the unit in `meter`. */
  added?: Pick<Meter, "name" | "unit"> | undefined;
}

/** A validated reading: the value fits, and the time is not in the future. */
interface ReadNow extends Pick<GivenReading, "value" | "isReplaced"> {
  at: Date;
}

/** Stored with the history event that records or removes a reading, so that it can be undone. */
export interface KeptReading {
  id: string;
  meter: string;
  added: Pick<Meter, "name" | "unit">;
  value: number;
  readAt: Date;
  isReplaced: boolean;
  /** True if the reading created the meter. */
  isFirst: boolean;
  isRemoved: boolean;
}

/** Converts values keyed by meter name, id or unit. */
export function toReadings(values: Record<string, number> | undefined): GivenReading[] | undefined {
  return values && Object.entries(values).map(([meter, value]) => ({ meter, value }));
}

export interface RecordedReadings {
  changes: Change[];
  warnings: Warning[];
  /** The time of the readings, if not now. */
  readAt: Date | undefined;
  kept: KeptReading[];
}

interface MeteredAsset {
  id: string;
  workspace_id: string | null;
}

interface OfMeter {
  asset: MeteredAsset;
  meter: FoundMeter;
}

/** Maximum of numeric(14,2). */
export const maxUsage = 999_999_999_999.99;
/** Maximum over all replaced meters. With one work interval added, it fits numeric(16,2). */
const maxTotal = 90_000_000_000_000;
const field = "meter_readings";
/** Identical readings within this time are a double submit. */
const onceMs = 60_000;

export function toMeterField(name: string): string {
  return `meter: ${name}`;
}

/**
 * Stores readings of a locked asset and brings forward work due by usage. Returns warnings for odd
 * readings. The caller writes the event, and waits for removals before it locks the asset.
 */
export async function recordReadings(
  tx: Tx,
  caller: Caller,
  asset: MeteredAsset,
  readings: readonly GivenReading[],
): Promise<RecordedReadings> {
  const recorded: RecordedReadings = { changes: [], warnings: [], readAt: undefined, kept: [] };
  if (readings.length === 0) return recorded;
  const refuseTooLong = limitSeveral(tx);
  const now = await momentOf(tx);
  for (const reading of readings) {
    refuseTooLong();
    const meters = await findMeters(tx, caller, asset.id);
    const at = toReadAt(caller, reading.readAt, now);
    const { meter, warnings } = await findOrAdd(tx, caller, asset, meters, reading);
    const given = { ...reading, value: cleanValue(reading.value, meter.name), at };
    recorded.warnings.push(...warnings);
    if (at < now) recorded.readAt = at;
    if (await isSentTwice(tx, caller, meter, given)) continue;
    const isEarlier = meter.read_at !== null && at < meter.read_at;
    const record = isEarlier ? recordBetween : recordLatest;
    const { id, isReplaced, warnings: odd } = await record(tx, caller, { asset, meter }, given);
    recorded.warnings.push(...odd);
    const before = isEarlier ? null : meter.value;
    recorded.changes.push(toReadingChange(meter, before, given));
    const added = { name: meter.name, unit: meter.unit };
    const kept = { id, meter: meter.id, added, value: given.value, readAt: at };
    recorded.kept.push({ ...kept, isReplaced, isFirst: warnings.length > 0, isRemoved: false });
  }
  return recorded;
}

function toReadAt(caller: Caller, given: Date | undefined, now: Date): Date {
  if (given === undefined || given <= now) return given ?? now;
  if (isFuture(caller, given)) {
    throw new AppError("validation_failed", "in_future", { field: "read_at" });
  }
  return now;
}

function cleanValue(given: number, label: string): number {
  const value = toCents(given);
  if (value < 0) throw new AppError("validation_failed", "negative", { field, label });
  if (value <= maxUsage) return value;
  throw new AppError("validation_failed", "above_max", { field, label, max: maxUsage });
}

async function isSentTwice(
  tx: Tx,
  { organizationId: organization_id }: Caller,
  { id: meter_id, value: last, read_at }: FoundMeter,
  { value, at, isReplaced = false }: ReadNow,
): Promise<boolean> {
  if (read_at === null || last !== value) return false;
  if (Math.abs(at.getTime() - read_at.getTime()) >= onceMs) return false;
  if (!isReplaced) return true;
  // A replacement meter may start at the old meter's last value.
  return tx.exists(MeterReading, { organization_id, meter_id, read_at, value, replaced: true });
}

/** Creates the meter if it is described, or the reference contains a known unit. */
async function findOrAdd(
  tx: Tx,
  caller: Caller,
  asset: MeteredAsset,
  meters: readonly FoundMeter[],
  { meter: reference, added }: GivenReading,
): Promise<{ meter: FoundMeter; warnings: Warning[] }> {
  const found =
    pickMeter(meters, reference, field) ?? (added && pickMeter(meters, added.name, field));
  if (found !== undefined) return { meter: found, warnings: [] };
  const described = added ?? describeUnit(reference);
  if (described === undefined) throw noSuchMeter(meters, reference, field);
  const isTaken = pickMeter(meters, described.name, field) !== undefined;
  const { name, unit } = cleanMeter({ ...described, ...(isTaken && { name: reference }) });
  const meter = await storeMeter(tx, caller, asset.id, { name, unit, meters });
  return { meter, warnings: [{ key: "meter_added", name, unit }] };
}

interface RecordedReading {
  id: string;
  isReplaced: boolean;
  warnings: Warning[];
}

async function recordLatest(
  tx: Tx,
  caller: Caller,
  { asset, meter }: OfMeter,
  { value, at, isReplaced = false }: ReadNow,
): Promise<RecordedReading> {
  const replaced = isReplaced && meter.value !== null;
  const usage_before = replaced
    ? toCents(meter.usage_before + (meter.value ?? 0))
    : meter.usage_before;
  const total = toCents(usage_before + value);
  if (total > maxTotal) {
    throw new AppError("validation_failed", "above_max", {
      field,
      label: meter.name,
      max: maxTotal,
    });
  }
  const odd = replaced ? [] : await findOddWarning(tx, caller, meter, { value, at });
  const id = await insertReading(tx, caller, meter, { value, total, read_at: at, replaced });
  const where = { organization_id: caller.organizationId, id: meter.id };
  await tx.update(Meter, where, { value, read_at: at, usage_before });
  const present = { ...meter, usage_before, total };
  if (total < meter.usage_before + (meter.value ?? 0))
    await putBack(tx, caller, { asset, meter: present });
  const due = await bringForward(tx, caller, { asset, meter: present, at });
  return { id, isReplaced: replaced, warnings: [...odd, ...due] };
}

interface Neighbour {
  value: number;
  total: number;
  replaced: boolean;
  is_before: boolean;
}

/** Records a reading earlier than the latest one. The meter's current value is unchanged. */
async function recordBetween(
  tx: Tx,
  caller: Caller,
  { meter }: OfMeter,
  { value, at, isReplaced }: ReadNow,
): Promise<RecordedReading> {
  if (isReplaced === true) {
    throw new AppError("validation_failed", "replaced_before_last", { field: "read_at" });
  }
  const neighbours = await tx.query<Neighbour>(
    `(SELECT value::float8 AS value, total::float8 AS total, replaced, true AS is_before
      FROM meter_readings WHERE organization_id = $1 AND meter_id = $2 AND read_at <= $3
      ORDER BY read_at DESC, recorded_at DESC LIMIT 1)
     UNION ALL
     (SELECT value::float8, total::float8, replaced, false
      FROM meter_readings WHERE organization_id = $1 AND meter_id = $2 AND read_at > $3
      ORDER BY read_at, recorded_at LIMIT 1)`,
    [caller.organizationId, meter.id, at],
  );
  const before = neighbours.find(({ is_before }) => is_before);
  const after = neighbours.find(({ is_before }) => !is_before);
  const usageBefore = before === undefined ? 0 : before.total - before.value;
  const total = toCents(usageBefore + value);
  const id = await insertReading(tx, caller, meter, { value, total, read_at: at, replaced: false });
  const isAbove = after !== undefined && !after.replaced && value > after.value;
  const isOutOfLine = isAbove || (before !== undefined && value < before.value);
  const present = formatUsage(meter.value ?? 0, meter.unit);
  const warning = { key: "reading_between", name: meter.name, present, isOutOfLine } as const;
  return { id, isReplaced: false, warnings: [warning] };
}

async function insertReading(
  tx: Tx,
  caller: Caller,
  { id: meter_id }: FoundMeter,
  reading: Pick<MeterReading, "value" | "total" | "read_at" | "replaced">,
): Promise<string> {
  const { organizationId: organization_id, userId: recorded_by, source } = caller;
  const id = createId("reading");
  await tx.insert(MeterReading, { ...reading, id, meter_id, organization_id, recorded_by, source });
  return id;
}

/** "120,300 km" → "120,500 km" */
function toReadingChange(
  { name, unit }: FoundMeter,
  before: number | null,
  { value, isReplaced }: ReadNow,
): Change {
  const to =
    toKeptUsage(value, unit) + (isReplaced === true && before !== null ? " (replaced)" : "");
  return toChange(toMeterField(name), before === null ? null : toKeptUsage(before, unit), to);
}

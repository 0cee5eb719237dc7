import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { Warning } from "../shared/warnings.js";
import { formatUsage, toCents } from "../shared/usage.js";
import type { FoundMeter } from "./meters.js";
import { toUnit } from "./units.js";

const dayMs = 24 * 60 * 60_000;
/** A reading is odd if it exceeds the usual daily usage by this factor. */
const oddFactor = 10;
/** Days of readings needed to know the usual usage. */
const leastDays = 7;

/** Warns about a reading that is lower than the last one or far above usual usage. */
export async function findOddWarning(
  tx: Tx,
  caller: Caller,
  meter: FoundMeter,
  { value, at }: { value: number; at: Date },
): Promise<Warning[]> {
  const { name, unit, value: before, read_at: last } = meter;
  if (before === null || last === null) return [];
  if (value < before) return [{ key: "reading_lower", name, before: formatUsage(before, unit) }];
  const days = Math.max(1, (at.getTime() - last.getTime()) / dayMs);
  const perDay = (value - before) / days;
  const shown = formatUsage(toCents(value - before), unit);
  if (toUnit(unit) === "h" && perDay > 24) return [{ key: "reading_over_day", name, more: shown }];
  const usual = await findUsualPerDay(tx, caller, meter);
  if (usual === 0 || perDay <= oddFactor * usual) return [];
  return [{ key: "reading_high", name, more: shown, usual: formatUsage(toCents(usual), unit) }];
}

/** Average over the last year. 0 if unknown. */
async function findUsualPerDay(
  tx: Tx,
  caller: Caller,
  { id, value, usage_before, read_at: last }: FoundMeter,
): Promise<number> {
  const first = await tx.maybe<{ total: number; at: Date }>(
    `SELECT total::float8 AS total, read_at AS at FROM meter_readings
     WHERE organization_id = $1 AND meter_id = $2 AND read_at >= $3::timestamptz - interval '1 year'
     ORDER BY read_at, recorded_at LIMIT 1`,
    [caller.organizationId, id, last],
  );
  if (first === undefined || last === null) return 0;
  const days = (last.getTime() - first.at.getTime()) / dayMs;
  return days < leastDays ? 0 : Math.max(0, usage_before + (value ?? 0) - first.total) / days;
}

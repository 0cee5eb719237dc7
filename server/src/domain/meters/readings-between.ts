import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { Warning } from "../shared/warnings.js";
import { formatUsage, toCents } from "../shared/usage.js";
import { insertReading, type OfMeter, type ReadNow } from "./store-reading.js";

interface Neighbour {
  value: number;
  total: number;
  replaced: boolean;
  is_before: boolean;
}

/** Records a reading earlier than the latest one. The meter's current value is unchanged. */
export async function recordBetween(
  tx: Tx,
  caller: Caller,
  { meter }: OfMeter,
  { value, at, isReplaced }: ReadNow,
): Promise<{ warnings: Warning[] }> {
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
  await insertReading(tx, caller, meter, { value, total, read_at: at, replaced: false });
  const isAbove = after !== undefined && !after.replaced && value > after.value;
  const isOutOfLine = isAbove || (before !== undefined && value < before.value);
  const present = formatUsage(meter.value ?? 0, meter.unit);
  return { warnings: [{ key: "reading_between", name: meter.name, present, isOutOfLine }] };
}

import type { Tx } from "../../db/database.js";
import { Meter } from "../../db/entities/meters.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { isVisibleAssetSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { createId } from "../shared/ids.js";
import { cleanText } from "../shared/text.js";
import { toUnit } from "./units.js";

const maxMeters = 20;

export interface FoundMeter extends Pick<
  Meter,
  "id" | "name" | "unit" | "value" | "read_at" | "usage_before"
> {
  /** Usage in the last 30 days. Null if readings don't cover them. */
  usage_30d: number | null;
}

/** Query of FoundMeter rows for the asset $2. Callers must check the asset's visibility. */
export const metersSql = `SELECT m.id, m.name::text AS name, m.unit, m.value::float8 AS value, m.read_at,
    m.usage_before::float8 AS usage_before,
    CASE WHEN m.read_at > month.ago THEN
      (m.usage_before + m.value - (SELECT r.total FROM meter_readings r
         WHERE r.organization_id = $1 AND r.meter_id = m.id AND r.read_at <= month.ago
         ORDER BY r.read_at DESC, r.recorded_at DESC LIMIT 1))::float8 END AS usage_30d
  FROM meters m, (SELECT app_now() - interval '30 days' AS ago) month
  WHERE m.organization_id = $1 AND m.asset_id = $2 ORDER BY m.name`;

/** Returns an asset's meters, or none if the caller doesn't see the asset. */
export async function findMeters(db: Tx, caller: Caller, assetId: string): Promise<FoundMeter[]> {
  const parameters = createParameters(caller.organizationId, assetId);
  return db.query(
    `SELECT * FROM (${metersSql}) meters WHERE ${isVisibleAssetSql(caller, parameters)}`,
    parameters.values,
  );
}

/** Adds a meter to a locked asset. `meters` are its existing meters. */
export async function storeMeter(
  tx: Tx,
  caller: Caller,
  assetId: string,
  { name, unit, meters }: Pick<Meter, "name" | "unit"> & { meters: readonly FoundMeter[] },
): Promise<FoundMeter> {
  if (meters.length >= maxMeters) {
    throw new AppError("validation_failed", "too_many_meters", { max: maxMeters });
  }
  refuseTaken(meters, name);
  const meter = { id: createId("meter"), name, unit, value: null, read_at: null, usage_before: 0 };
  const { organizationId: organization_id, userId: created_by } = caller;
  await tx.insert(Meter, { ...meter, organization_id, asset_id: assetId, created_by });
  return { ...meter, usage_30d: null };
}

export function refuseTaken(meters: readonly Pick<Meter, "name">[], name: string): void {
  if (!meters.some((meter) => isSame(meter.name, name))) return;
  throw new AppError("duplicate", "meter_name_taken", { field: "name", name });
}

/** The meter with a name or id, otherwise all with a unit. */
export function matchMeters(meters: readonly FoundMeter[], reference: string): FoundMeter[] {
  const named = meters.find(({ id, name }) => id === reference || isSame(name, reference));
  if (named !== undefined) return [named];
  return meters.filter(({ unit }) => toUnit(unit) === toUnit(reference));
}

/** Finds a meter by name, id, or a unit that only one meter has. Undefined if none matches. */
export function pickMeter(
  meters: readonly FoundMeter[],
  reference: string,
  field: string,
): FoundMeter | undefined {
  const matching = matchMeters(meters, reference);
  if (matching.length < 2) return matching[0];
  const names = matching.map(({ name }) => name);
  throw new AppError("validation_failed", "meter_ambiguous", { field, unit: reference, names });
}

export function noSuchMeter(
  meters: readonly FoundMeter[],
  reference: string,
  field: string,
): AppError {
  const names = meters.map(({ name, unit }) => `${name} (${unit})`);
  return new AppError("not_found", "meter_unknown", { field, name: reference, names });
}

export function cleanMeter({ name, unit }: Pick<Meter, "name" | "unit">) {
  return {
    name: cleanText(name, { field: "name", max: 60 }),
    unit: cleanText(unit, { field: "unit", max: 20 }),
  };
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.trim().toLowerCase();
}

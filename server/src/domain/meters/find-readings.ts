import type { Tx } from "../../db/database.js";
import type { MeterReading } from "../../db/entities/meters.js";
import type { Caller } from "../access/caller.js";
import { visibleAssetSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";

export interface FoundReading extends Pick<
  MeterReading,
  "id" | "value" | "total" | "read_at" | "replaced"
> {
  recorded_by: string;
}

export const maxShown = 100;

/**
 * Returns the latest readings, newest first, and one more than the limit. Empty if the caller
 * doesn't see the asset.
 */
export async function findReadings(
  db: Tx,
  caller: Caller,
  meterId: string,
): Promise<FoundReading[]> {
  const parameters = createParameters(caller.organizationId, meterId);
  return db.query(
    `SELECT r.id, r.value::float8 AS value, r.total::float8 AS total, r.read_at, r.replaced,
       u.name AS recorded_by
     FROM meter_readings r JOIN users u ON u.id = r.recorded_by
     JOIN meters m ON m.organization_id = $1 AND m.id = r.meter_id
     JOIN assets a ON a.organization_id = $1 AND a.id = m.asset_id
     WHERE r.organization_id = $1 AND r.meter_id = $2 AND ${visibleAssetSql(caller, parameters, "a")}
     ORDER BY r.read_at DESC, r.recorded_at DESC LIMIT ${maxShown + 1}`,
    parameters.values,
  );
}

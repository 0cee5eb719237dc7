import type { EntityManager } from "typeorm";
import type { MeterReading } from "../../db/entities/meter-reading.js";
import type { Caller } from "../access/caller.js";

export interface FoundReading extends Pick<
  MeterReading,
  "id" | "value" | "total" | "read_at" | "replaced"
> {
  recorded_by: string;
}

export const maxShown = 100;

/** What a meter of an asset that the caller sees showed, the newest first; one more than are shown. */
export async function findReadings(
  db: EntityManager,
  caller: Caller,
  meterId: string,
): Promise<FoundReading[]> {
  return db.query(
    `SELECT r.id, r.value::float8 AS value, r.total::float8 AS total, r.read_at, r.replaced,
       u.name AS recorded_by
     FROM meter_readings r JOIN users u ON u.id = r.recorded_by
     WHERE r.organization_id = $1 AND r.meter_id = $2
     ORDER BY r.read_at DESC, r.recorded_at DESC LIMIT ${maxShown + 1}`,
    [caller.organizationId, meterId],
  );
}

import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";

/** All that a meter and those before it had counted by a moment, as far as readings tell. */
export async function findTotalAt(
  tx: EntityManager,
  caller: Caller,
  meterId: string,
  at: Date,
): Promise<number | undefined> {
  const rows: { total: number }[] = await tx.query(
    `SELECT total::float8 AS total FROM meter_readings
     WHERE organization_id = $1 AND meter_id = $2 AND read_at <= $3
     ORDER BY read_at DESC, recorded_at DESC LIMIT 1`,
    [caller.organizationId, meterId, at],
  );
  return rows[0]?.total;
}

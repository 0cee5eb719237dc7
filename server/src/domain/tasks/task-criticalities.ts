import { In, type Tx } from "../../db/database.js";
import type { Criticality } from "../../db/entities/assets.js";
import { MaintenanceTask } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";

/** Of tasks that the caller has been found to see, those on assets that matter more than others. */
export async function findCriticalities(
  db: Tx,
  { organizationId }: Caller,
  ids: readonly string[],
): Promise<Map<string, Criticality>> {
  const rows = await db.find(MaintenanceTask, {
    select: { id: true, criticality: true },
    where: {
      organization_id: organizationId,
      id: In([...ids]),
      criticality: In(["high", "critical"]),
    },
  });
  return new Map(rows.map(({ id, criticality }) => [id, criticality]));
}

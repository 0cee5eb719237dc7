import { In, type Tx } from "../../db/database.js";
import type { Criticality } from "../../db/entities/assets.js";
import { MaintenanceTask } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";

/**
 * Returns the criticality of tasks on high or critical assets. The caller must have checked that
 * the tasks are visible.
 */
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

import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";

/** Of an asset to another, both locked: those of a name that the other has none of. */
export async function moveMeters(
  tx: EntityManager,
  caller: Caller,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.query(
    `UPDATE meters m SET asset_id = $3
     WHERE m.organization_id = $1 AND m.asset_id = $2 AND NOT EXISTS (SELECT FROM meters kept
       WHERE kept.organization_id = $1 AND kept.asset_id = $3 AND kept.name = m.name)`,
    [caller.organizationId, from, to],
  );
}

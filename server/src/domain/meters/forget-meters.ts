import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";

/** Detaches plans of finished work from meters that are about to be deleted. */
export async function forgetMeters(
  tx: Tx,
  caller: Caller,
  { of, id }: { of: "meter" | "asset"; id: string },
): Promise<void> {
  const which = of === "meter" ? "m.id = $2" : "m.asset_id = $2";
  await tx.query(
    `UPDATE maintenance_plans p SET meter_id = NULL FROM meters m
     WHERE p.organization_id = $1 AND m.organization_id = $1 AND m.id = p.meter_id AND ${which}`,
    [caller.organizationId, id],
  );
}

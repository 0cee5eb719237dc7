import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { readAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { recordEvents } from "../history/record-events.js";

/** The meters of an asset, whose names the other has none of, go to that one; both are locked. */
export async function moveMeters(
  tx: EntityManager,
  caller: Caller,
  { from, to }: { from: string; to: AssetRecord },
): Promise<void> {
  const [moved]: [{ name: string }[], number] = await tx.query(
    `UPDATE meters m SET asset_id = $3
     WHERE m.organization_id = $1 AND m.asset_id = $2 AND NOT EXISTS (SELECT FROM meters kept
       WHERE kept.organization_id = $1 AND kept.asset_id = $3 AND kept.name = m.name)
     RETURNING m.name || ' (' || m.unit || ')' AS name`,
    [caller.organizationId, from, to.id],
  );
  if (moved.length === 0) return;
  const names = moved.map(({ name }) => name).sort();
  const lost = await readAssetRecord(tx, caller, from);
  const at = await momentOf(tx);
  const toEvent = ({ id, workspace_id }: AssetRecord, change: object) => ({
    type: "asset_updated" as const,
    assetId: id,
    workspaceId: workspace_id,
    occurredAt: at,
    recordedAt: at,
    changes: [{ field: "meters", ...change }],
  });
  await recordEvents(tx, caller, [toEvent(lost, { from: names }), toEvent(to, { to: names })]);
}

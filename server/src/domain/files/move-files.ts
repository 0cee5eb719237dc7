import { IsNull, type Tx } from "../../db/database.js";
import { StoredFile } from "../../db/entities/files.js";
import type { Caller } from "../access/caller.js";
import { readAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { AppError } from "../../errors.js";
import { maxOfRecord } from "./add-files.js";
import { recordFiles } from "./file-subjects.js";

/**
 * Moves an asset's photos and files to another asset, within that asset's limit. Both must be
 * locked. Files of reports and comments stay with them.
 */
export async function moveFiles(
  tx: Tx,
  caller: Caller,
  { from, to }: { from: string; to: AssetRecord },
): Promise<void> {
  const moved = await tx.query<{ name: string }>(
    `UPDATE files SET asset_id = $3 WHERE organization_id = $1 AND asset_id = $2
       AND report_id IS NULL AND comment_id IS NULL RETURNING name`,
    [caller.organizationId, from, to.id],
  );
  if (moved.length === 0) return;
  if ((await countFiles(tx, caller, to)) > maxOfRecord) {
    const details = { field: "merged_into", max: maxOfRecord };
    throw new AppError("invalid_transition", "merged_with_many_files", details);
  }
  const names = moved.map(({ name }) => name).sort();
  const lost = await readAssetRecord(tx, caller, from);
  for (const [{ id, workspace_id: workspaceId }, change] of [
    [lost, { from: names }],
    [to, { to: names }],
  ] as const) {
    await recordFiles(tx, caller, { kind: "asset", id, assetId: id, workspaceId }, change);
  }
}

async function countFiles(
  tx: Tx,
  { organizationId: organization_id }: Caller,
  { id: asset_id }: AssetRecord,
): Promise<number> {
  return tx.count(StoredFile, {
    organization_id,
    asset_id,
    report_id: IsNull(),
    comment_id: IsNull(),
  });
}

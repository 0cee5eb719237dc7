import type { Tx } from "../../db/database.js";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { noteWorkspaceRole, ownRoleSql } from "../access/roles.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";
import { findAssetRecord, type AssetRecord } from "./asset-record.js";
import { assetNotFound } from "../shared/asset-references.js";

/** Columns read in the same statement, for asset $2. Their own parameters begin with $3. */
interface ReadBeside {
  columns: string;
  values: unknown[];
}

/**
 * Returns the asset with an id, if the caller sees it. Without a lock, it may be gone the next
 * moment.
 */
export async function findVisibleAsset<Beside = unknown>(
  db: Tx,
  caller: Caller,
  id: string,
  { columns, values }: ReadBeside = { columns: "", values: [] },
): Promise<(AssetRecord & Beside) | undefined> {
  const parameters = createParameters(caller.organizationId, id, ...values);
  const visible = visibleAssetSql(caller, parameters, "a");
  const role = ownRoleSql(caller, parameters, "a.workspace_id");
  const found = await findAssetRecord<Beside & { own_role: WorkspaceRole | null }>(
    db,
    `a.id = $2 AND ${visible}`,
    parameters.values,
    `, ${role} AS own_role${columns}`,
  );
  if (found === undefined) return undefined;
  const { own_role: ownRole, ...asset } = found;
  noteWorkspaceRole(caller, found.workspace_id, ownRole);
  return asset as unknown as AssetRecord & Beside;
}

/** Like `findVisibleAsset`, but throws if the asset isn't found. */
export async function getVisibleAsset(db: Tx, caller: Caller, id: string): Promise<AssetRecord> {
  const asset = await findVisibleAsset(db, caller, id);
  if (asset === undefined) throw await assetNotFound(db, caller, id);
  return asset;
}

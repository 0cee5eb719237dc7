import type { Tx } from "../../db/database.js";
import { assetFields, type Asset } from "../../db/entities/assets.js";
import type { Caller } from "../access/caller.js";
import { visibleAssetSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { assetNotFound, assetOfReference } from "../shared/asset-references.js";
import { selectFields } from "../shared/field-columns.js";
import { RetryTransaction } from "../../db/retry-transaction.js";
import type { PlainFields } from "./asset-fields.js";

export interface AssetRecord
  extends
    PlainFields,
    Pick<Asset, "id" | "inventory_number" | "category_id" | "workspace_id" | "parent_asset_id">,
    Pick<Asset, "assigned_to_user_id" | "state" | "state_changed_at" | "last_seen_at">,
    Pick<Asset, "deleted_at" | "deletion_reason" | "state_before_deletion">,
    Pick<Asset, "merged_into_asset_id">,
    Pick<Asset, "created_at" | "updated_at" | "version"> {
  category: string | null;
  workspace_name: string | null;
  parent_workspace_id: string | null;
  parent_asset: string | null;
  assigned_to: string | null;
  created_by: string;
}

const columns = `a.id, a.inventory_number, ${selectFields(assetFields, "a")}, a.category_id,
  c.name::text AS category, a.workspace_id, w.name::text AS workspace_name, a.state,
  a.state_changed_at, a.parent_asset_id, p.workspace_id AS parent_workspace_id,
  p.name AS parent_asset, a.assigned_to_user_id, u.name AS assigned_to, a.last_seen_at,
  a.deleted_at, a.deletion_reason, a.state_before_deletion, a.merged_into_asset_id, creator.name AS created_by,
  a.created_at, a.updated_at, a.version`;

const joins = `assets a
  LEFT JOIN asset_categories c ON c.organization_id = a.organization_id AND c.id = a.category_id
  LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
  LEFT JOIN assets p ON p.organization_id = a.organization_id AND p.id = a.parent_asset_id
  LEFT JOIN users u ON u.id = a.assigned_to_user_id
  JOIN users creator ON creator.id = a.created_by`;

/**
 * `where` is a condition on `a`. Its parameters follow $1, the organization. `more` are columns.
 */
export async function findAssetRecord<More>(
  db: Tx,
  where: string,
  values: unknown[],
  more = "",
): Promise<(AssetRecord & More) | undefined> {
  const [first] = await findRecords<More>(db, where, values, more);
  return first;
}

function findRecords<More>(
  db: Tx,
  where: string,
  values: unknown[],
  more = "",
): Promise<(AssetRecord & More)[]> {
  return db.query(
    `SELECT ${columns}${more} FROM ${joins} WHERE a.organization_id = $1 AND ${where}`,
    values,
  );
}

export async function readAssetRecords(
  db: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, AssetRecord>> {
  const values = [caller.organizationId, ids];
  const records = await findRecords(db, "a.id = ANY ($2::text[])", values);
  return new Map(records.map((record) => [record.id, record]));
}

/**
 * Reads an asset whose id was just found. Without a lock it may be gone, and the retry reports it
 * as missing.
 */
export async function readAssetRecord(tx: Tx, caller: Caller, id: string): Promise<AssetRecord> {
  const record = await findAssetRecord(tx, "a.id = $2", [caller.organizationId, id]);
  if (record === undefined) throw new RetryTransaction(`The asset ${id} is gone.`);
  return record;
}

/**
 * Returns the asset with an id or exact inventory number, if the caller may see it. Locks it until
 * the transaction ends.
 */
export async function lockAssetRecord(
  tx: Tx,
  caller: Caller,
  reference: string,
): Promise<AssetRecord> {
  const parameters = createParameters(caller.organizationId, reference);
  const record = await findAssetRecord(
    tx,
    `${assetOfReference(reference)} AND ${visibleAssetSql(caller, parameters, "a")}
     FOR NO KEY UPDATE OF a`,
    parameters.values,
  );
  if (record === undefined) throw await assetNotFound(tx, caller, reference);
  return namesAll(record) ? record : readAssetRecord(tx, caller, record.id);
}

/**
 * Returns false if the asset got new references while its lock was awaited. The statement hasn't
 * read their names.
 */
function namesAll(record: AssetRecord): boolean {
  return [
    [record.category_id, record.category],
    [record.workspace_id, record.workspace_name],
    [record.parent_asset_id, record.parent_asset],
    [record.assigned_to_user_id, record.assigned_to],
  ].every(([id, name]) => id === null || name !== null);
}

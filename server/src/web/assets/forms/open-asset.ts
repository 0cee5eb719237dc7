import type { Tx } from "../../../db/database.js";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import { findReferredAsset, type ReferredAsset } from "../../../domain/shared/referred-assets.js";
import { findVisibleAsset } from "../../../domain/assets/visible-assets.js";
import type { Caller } from "../../../domain/access/caller.js";
import { idKindOf } from "../../../domain/shared/ids.js";
import { workspaceRefOf, requireRoleIn, type Action } from "../../../domain/access/roles.js";
import { AppError } from "../../../errors.js";

/** A visible asset, with its parent if the caller sees the parent too. */
export interface OpenedAsset {
  asset: AssetRecord;
  parent: ReferredAsset | undefined;
}

/** Throws if the caller can't see the asset. */
export async function openAsset(db: Tx, caller: Caller, id: string): Promise<OpenedAsset> {
  const asset = idKindOf(id) === "asset" ? await findVisibleAsset(db, caller, id) : undefined;
  if (asset === undefined) throw noSuchAsset();
  const { parent_asset_id: parentId } = asset;
  const parent = parentId === null ? undefined : await findReferredAsset(db, caller, parentId);
  return { asset, parent };
}

/** Opens an asset for a form. Without permission, the error names people to ask. */
export async function openAssetFor(
  db: Tx,
  caller: Caller,
  id: string,
  [least, what]: readonly [least: "member" | "admin", what: Action],
): Promise<OpenedAsset> {
  const opened = await openAsset(db, caller, id);
  await requireRoleIn(db, caller, workspaceRefOf(opened.asset), least, what);
  return opened;
}

export function noSuchAsset(): AppError {
  return new AppError("not_found", "asset_out_of_sight");
}

export function toAddressOf({ id }: Pick<AssetRecord, "id">): string {
  return `/assets/${id}`;
}

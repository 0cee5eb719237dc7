import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { findRightsIn, workspaceRefOf } from "../access/roles.js";
import type { WorkspaceChoice } from "../organizations/workspace-choices.js";

export interface AssetPermissions {
  /** Change, move, retire and restore the asset, record a sighting, and plan work. */
  change: boolean;
  /** Change its inventory number and delete it permanently. */
  admin: boolean;
}

/** Returns the actions a page may offer on a visible asset. The changes check permissions again. */
export async function findAssetPermissions(
  db: Tx,
  caller: Caller,
  asset: { workspace_id: string | null; workspace_name: string | null },
): Promise<AssetPermissions> {
  const { member, admin } = await findRightsIn(db, caller, workspaceRefOf(asset));
  return { change: member, admin };
}

/**
 * Returns true if the caller may add an asset anywhere. `workspaces` are all workspaces the caller
 * sees.
 */
export function mayAddAssets(caller: Caller, workspaces: readonly WorkspaceChoice[]): boolean {
  return isOrganizationAdmin(caller) || workspaces.some(({ role }) => role !== "viewer");
}

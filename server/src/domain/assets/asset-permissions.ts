import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { findRightsIn, workspaceRefOf } from "../access/roles.js";
import type { WorkspaceChoice } from "../organizations/workspace-choices.js";

export interface AssetPermissions {
  /** Change, move, retire and restore it, say that one has seen it, and plan work on it. */
  change: boolean;
  /** Change its inventory number and delete it permanently. */
  admin: boolean;
}

/** What a page may offer to do with an asset that the caller sees; the changes themselves ask again. */
export async function findAssetPermissions(
  db: Tx,
  caller: Caller,
  asset: { workspace_id: string | null; workspace_name: string | null },
): Promise<AssetPermissions> {
  const { member, admin } = await findRightsIn(db, caller, workspaceRefOf(asset));
  return { change: member, admin };
}

/** Whether the caller may add an asset anywhere; `workspaces` are all that the caller sees. */
export function mayAddAssets(caller: Caller, workspaces: readonly WorkspaceChoice[]): boolean {
  return isOrganizationAdmin(caller) || workspaces.some(({ role }) => role !== "viewer");
}

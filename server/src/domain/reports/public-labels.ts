import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";

/** Contents of a label of an asset or a place. */
export interface PublicLabel extends Pick<Asset, "organization_id" | "name"> {
  /** Null for a place. */
  asset_id: string | null;
  place_id: string | null;
  inventory_number: string | null;
  /** Set for a location in a workspace. */
  workspace: string | null;
  organization: string;
}

/**
 * Finds the asset or place of a code, ignoring case, if anyone with the label may report problems.
 */
export async function findPublicLabel(db: Tx, code: string): Promise<PublicLabel | undefined> {
  return (
    (await db.maybe<PublicLabel>(
      `SELECT a.organization_id, a.id AS asset_id, NULL AS place_id, a.name, a.inventory_number,
         NULL AS workspace, o.name AS organization
       FROM assets a JOIN organizations o ON o.id = a.organization_id AND o.public_reports
       WHERE a.qr_token = $1 AND a.state <> 'deleted'`,
      [code.toLowerCase()],
    )) ??
    db.maybe<PublicLabel>(
      `SELECT p.organization_id, NULL AS asset_id, p.id AS place_id,
         coalesce(p.location, w.name::text) AS name, NULL AS inventory_number,
         CASE WHEN p.location IS NOT NULL THEN w.name::text END AS workspace,
         o.name AS organization
       FROM place_labels p
       JOIN organizations o ON o.id = p.organization_id AND o.public_reports
       JOIN workspaces w ON w.organization_id = p.organization_id AND w.id = p.workspace_id
       WHERE p.qr_token = $1 AND p.revoked_at IS NULL`,
      [code.toLowerCase()],
    )
  );
}

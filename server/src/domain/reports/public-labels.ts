import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";

/** Contents of a label, for organizations that accept public reports. */
export interface PublicLabel extends Pick<Asset, "organization_id" | "name" | "inventory_number"> {
  asset_id: string;
  organization: string;
}

/** Finds the asset of a code, ignoring case, if anyone with the label may report problems. */
export async function findPublicLabel(db: Tx, code: string): Promise<PublicLabel | undefined> {
  return db.maybe<PublicLabel>(
    `SELECT a.organization_id, a.id AS asset_id, a.name, a.inventory_number, o.name AS organization
     FROM assets a JOIN organizations o ON o.id = a.organization_id AND o.public_reports
     WHERE a.qr_token = $1 AND a.state <> 'deleted'`,
    [code.toLowerCase()],
  );
}

import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { LabelField } from "./label-links.js";
import { toPrintable } from "./printable-text.js";

export interface LabelAsset extends Pick<
  Asset,
  "id" | "inventory_number" | "name" | "state" | "qr_token" | "location" | "serial_number"
> {
  workspace: string | null;
  organization: string;
}

/** `condition` uses the alias `a` of the assets table. $1 is the organization. */
export async function selectLabelAssets(
  db: Tx,
  condition: string,
  values: readonly unknown[],
): Promise<LabelAsset[]> {
  return db.query(
    `SELECT a.id, a.inventory_number, a.name, a.state, a.qr_token, w.name AS workspace,
       a.location, a.serial_number, o.name AS organization
     FROM assets a
     JOIN organizations o ON o.id = a.organization_id
     LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
     WHERE a.organization_id = $1 AND ${condition}`,
    [...values],
  );
}

/**
 * Returns the lines of a label. Empty and unprintable fields are skipped. If no line is left, the
 * label shows the inventory number or the code.
 */
export function toLabelLines(asset: LabelAsset, fields: readonly LabelField[]): string[] {
  const lines = fields
    .map((field) => toPrintable(asset[field] ?? ""))
    .filter((line) => line !== undefined);
  if (lines.length > 0) return lines;
  return [toPrintable(asset.inventory_number) ?? asset.qr_token.toUpperCase()];
}

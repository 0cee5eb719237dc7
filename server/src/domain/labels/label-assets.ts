import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { LabelField } from "./label-links.js";
import { toPrintable } from "./printable-text.js";

/** What labels show of an asset. */
export interface LabelAsset extends Pick<
  Asset,
  "id" | "inventory_number" | "name" | "state" | "qr_token" | "location" | "serial_number"
> {
  workspace: string | null;
  organization: string;
}

/** `condition` is about the alias `a` of the assets; $1 is the organization. */
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
 * The text of a label. A field that is empty or cannot be printed gives no line, but a label always
 * says which asset it is of, if need be by what its code holds.
 */
export function toLabelLines(asset: LabelAsset, fields: readonly LabelField[]): string[] {
  const lines = fields
    .map((field) => toPrintable(asset[field] ?? ""))
    .filter((line) => line !== undefined);
  if (lines.length > 0) return lines;
  return [toPrintable(asset.inventory_number) ?? asset.qr_token.toUpperCase()];
}

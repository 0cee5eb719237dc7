import type { Tx } from "../../db/database.js";
import type { PlainFields } from "./asset-fields.js";
import type { AssetRecord } from "./asset-record.js";
import type { Caller } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import {
  addChanges,
  compareField,
  compareLink,
  createComparison,
  recordComparison,
  storeColumns,
  toChange,
  toNamed,
  type Comparison,
} from "../history/differences.js";
import type { Named } from "../shared/refusals.js";
import type { Change } from "../history/record-events.js";
import type { RecordedReadings } from "../meters/record-readings.js";
import { retireNumber, withGivenNumber } from "./inventory-numbers.js";
import { workspaceRefOf, type WorkspaceRef } from "../access/roles.js";

/** Requested changes to an asset. Undefined keeps a value, null clears it. */
export interface Difference {
  fields: Partial<PlainFields>;
  place: WorkspaceRef;
  inventoryNumber?: string;
  category?: Named | null;
  parent?: Named | null;
  assignee?: Named | null;
  readings?: Pick<RecordedReadings, "changes" | "readAt" | "kept">;
}

/**
 * Stores the differences from the locked asset, writes its history and returns the changes. If
 * nothing differs, a note still creates an event and the version stays.
 */
export async function storeAssetChange(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  difference: Difference,
  note: string | undefined,
): Promise<{ version: number; changed: Change[] }> {
  const { columns, events } = compareAsset(asset, difference);
  let version = asset.version;
  let at = nowOf(caller);
  const { readings } = difference;
  addChanges({ columns, events }, "asset_updated", readings?.changes ?? []);
  if (events.size > 0) ({ version, at } = await updateRow(tx, caller, asset, columns));
  else if (note !== undefined) events.set("note_added", []);
  const changed = await recordComparison(tx, caller, events, note, (type) => ({
    assetId: asset.id,
    workspaceId: difference.place?.id ?? null,
    occurredAt: readings?.readAt ?? at,
    recordedAt: at,
    ...(type === "asset_updated" && readings?.kept[0] && { before: { readings: readings.kept } }),
  }));
  return { version, changed };
}

export function compareAsset(asset: AssetRecord, difference: Difference): Comparison {
  const comparison = createComparison();
  const { place, parent, assignee } = difference;
  compareLink(comparison, "asset_moved", {
    idField: "workspace_id",
    nameField: "workspace_name",
    before: workspaceRefOf(asset),
    after: place,
  });
  compareLink(comparison, "asset_moved", {
    idField: "parent_asset_id",
    nameField: "parent_asset",
    before: toNamed(asset.parent_asset_id, asset.parent_asset),
    after: parent,
  });
  compareLink(comparison, "asset_assigned", {
    idField: "assigned_to_user_id",
    nameField: "assigned_to",
    before: toNamed(asset.assigned_to_user_id, asset.assigned_to),
    after: assignee,
  });
  compareFields(comparison, asset, difference);
  return comparison;
}

function compareFields(
  comparison: Comparison,
  asset: AssetRecord,
  { fields, inventoryNumber, category }: Difference,
): void {
  if (inventoryNumber !== undefined && inventoryNumber !== asset.inventory_number) {
    comparison.columns.push(["inventory_number", inventoryNumber]);
    const changes = [toChange("inventory_number", asset.inventory_number, inventoryNumber)];
    addChanges(comparison, "asset_updated", changes);
  }
  if (category !== undefined && (category?.id ?? null) !== asset.category_id) {
    comparison.columns.push(["category_id", category?.id ?? null]);
    const changes = [toChange("category", asset.category, category?.name)];
    addChanges(comparison, "asset_updated", changes);
  }
  for (const [field, value] of Object.entries(fields)) {
    const before = asset[field as keyof PlainFields];
    compareField(comparison, "asset_updated", field, [before, value]);
  }
}

async function updateRow(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  columns: Comparison["columns"],
): Promise<{ version: number; at: Date }> {
  const run = (db: Tx) => storeColumns(db, caller, { table: "assets", id: asset.id }, columns);
  const number = columns.find(([column]) => column === "inventory_number")?.[1];
  if (typeof number !== "string") return run(tx);
  const row = await withGivenNumber(tx, caller, { number, whose: "present asset" }, run);
  await retireNumber(tx, caller, asset.inventory_number);
  return row;
}

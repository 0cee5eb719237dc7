import type { HistoryEventType } from "../db/entities/history-event.js";
import { isDeepStrictEqual } from "node:util";
import type { EntityManager } from "typeorm";
import type { PlainFields } from "./asset-fields.js";
import type { AssetRecord } from "./asset-record.js";
import type { Caller } from "./caller.js";
import { nowOf } from "./clock.js";
import { recordEvent, type Change } from "./history.js";
import { retireNumber, withGivenNumber } from "./inventory-numbers.js";
import type { Place } from "./roles.js";

interface Named {
  id: string;
  name: string;
}

/** What an asset shall become. Undefined leaves a thing as it is, null empties it. */
export interface Difference {
  fields: Partial<PlainFields>;
  place: Place;
  inventoryNumber?: string;
  category?: Named | null;
  parent?: Named | null;
  assignee?: Named | null;
}

interface Comparison {
  /** Column and value of everything that really changes. */
  columns: [column: string, value: unknown][];
  events: Map<HistoryEventType, Change[]>;
}

/**
 * Stores what differs from the locked asset, writes its history, and answers with the changes. When
 * nothing differs, a note still makes an event; the version stays.
 */
export async function storeAssetChange(
  tx: EntityManager,
  caller: Caller,
  asset: AssetRecord,
  difference: Difference,
  note: string | undefined,
): Promise<{ version: number; changed: Change[] }> {
  const { columns, events } = compare(asset, difference);
  let version = asset.version;
  let at = nowOf(caller);
  if (columns.length > 0) ({ version, at } = await updateRow(tx, caller, asset, columns));
  else if (note !== undefined) events.set("note_added", []);
  let remark = note;
  for (const [type, changes] of events) {
    await recordEvent(tx, caller, {
      type,
      assetId: asset.id,
      workspaceId: difference.place?.id ?? null,
      occurredAt: at,
      recordedAt: at,
      changes,
      note: remark,
    });
    remark = undefined;
  }
  return { version, changed: [...events.values()].flat() };
}

function compare(asset: AssetRecord, difference: Difference): Comparison {
  const comparison: Comparison = { columns: [], events: new Map() };
  const { place, parent, assignee } = difference;
  compareLink(comparison, "asset_moved", {
    idField: "workspace_id",
    nameField: "workspace_name",
    before: toNamed(asset.workspace_id, asset.workspace_name),
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

interface Link {
  idField: string;
  nameField: string;
  before: Named | null;
  after: Named | null | undefined;
}

/** A reference changes with its id; the history keeps the name beside it. */
function compareLink(
  comparison: Comparison,
  type: HistoryEventType,
  { idField, nameField, before, after }: Link,
): void {
  if (after === undefined || after?.id === before?.id) return;
  comparison.columns.push([idField, after?.id ?? null]);
  note(comparison, type, [
    change(idField, before?.id, after?.id),
    change(nameField, before?.name, after?.name),
  ]);
}

function toNamed(id: string | null, name: string | null): Named | null {
  return id === null ? null : { id, name: name ?? "" };
}

function compareFields(
  comparison: Comparison,
  asset: AssetRecord,
  { fields, inventoryNumber, category }: Difference,
): void {
  if (inventoryNumber !== undefined && inventoryNumber !== asset.inventory_number) {
    comparison.columns.push(["inventory_number", inventoryNumber]);
    const changes = [change("inventory_number", asset.inventory_number, inventoryNumber)];
    note(comparison, "asset_updated", changes);
  }
  if (category !== undefined && (category?.id ?? null) !== asset.category_id) {
    comparison.columns.push(["category_id", category?.id ?? null]);
    note(comparison, "asset_updated", [change("category", asset.category, category?.name)]);
  }
  for (const [field, value] of Object.entries(fields)) {
    const before = asset[field as keyof PlainFields];
    if (isDeepStrictEqual(before, value)) continue;
    comparison.columns.push([field, value]);
    note(comparison, "asset_updated", [change(field, before, value)]);
  }
}

function note({ events }: Comparison, type: HistoryEventType, changes: Change[]): void {
  events.set(type, [...(events.get(type) ?? []), ...changes]);
}

function change(field: string, from: unknown, to: unknown): Change {
  return { field, ...(!isEmpty(from) && { from }), ...(!isEmpty(to) && { to }) };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

async function updateRow(
  tx: EntityManager,
  caller: Caller,
  asset: AssetRecord,
  columns: Comparison["columns"],
): Promise<{ version: number; at: Date }> {
  // Column names come from our own code; one order for one set keeps the number of texts small.
  const sorted = columns.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const settings = sorted.map(([column], index) => `${column} = $${index + 3}`);
  const run = async (db: EntityManager) => {
    const [rows]: [{ version: number; at: Date }[], number] = await db.query(
      `UPDATE assets SET ${settings.join(", ")}, version = version + 1,
         updated_at = fettle_now()
       WHERE organization_id = $1 AND id = $2 RETURNING version, updated_at AS at`,
      [caller.organizationId, asset.id, ...sorted.map(([, value]) => value)],
    );
    const row = rows[0];
    if (row === undefined) throw new Error(`The locked asset ${asset.id} is gone.`);
    return row;
  };
  const number = columns.find(([column]) => column === "inventory_number")?.[1];
  if (typeof number !== "string") return run(tx);
  const row = await withGivenNumber(tx, caller, number, run);
  await retireNumber(tx, caller, asset.inventory_number);
  return row;
}

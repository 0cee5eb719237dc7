import type { Tx } from "../../db/database.js";
import { assetFields } from "../../db/entities/assets.js";
import { clearableNames } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { toSummary, type AssetChange } from "./asset-answers.js";
import { cleanFields, clearedFields } from "../shared/clean-fields.js";
import {
  checkTogether,
  cleanAssetFields,
  type GivenFields,
  type PlainFields,
} from "./asset-fields.js";
import { addComment } from "../comments/change-comments.js";
import { checkParent, lockParents } from "./asset-parents.js";
import { findLostAssignee, getAssignee } from "../shared/assignees.js";
import { lockAssetRecord, readAssetRecord, type AssetRecord } from "./asset-record.js";
import { getAssetId } from "../shared/asset-references.js";
import { findCategoryWarning, findSameAssetWarnings } from "./asset-warnings.js";
import { cleanCategory, ensureCategory } from "./categories.js";
import type { Caller } from "../access/caller.js";
import { storeAssetChange, type Difference } from "./asset-differences.js";
import { findSameValuesWarning } from "../history/differences.js";
import { validateUpdate } from "../history/validate-update.js";
import { createRedactor } from "../history/redact-changes.js";
import { cleanInventoryNumber } from "./inventory-numbers.js";
import { releaseMovedTasks } from "../people/moved-tasks.js";
import { recordReadings, type GivenReading } from "../meters/record-readings.js";
import { rejectNonePlaceholder } from "../shared/none-placeholder.js";
import { workspaceRefOf, requireRoleIn, type WorkspaceRef } from "../access/roles.js";
import type { Warning } from "../shared/warnings.js";
import { cleanNote } from "../shared/text.js";
import { checkVersion } from "../history/versions.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { lockMembers } from "../../db/locks.js";

export const clearableFields = clearableNames(assetFields);

export type ClearableField = (typeof clearableFields)[number];

export interface AssetUpdate extends GivenFields {
  clear_fields?: ClearableField[] | undefined;
  /** Added to the existing tags. */
  add_tags?: string[] | undefined;
  remove_tags?: string[] | undefined;
  meter_readings?: readonly GivenReading[] | undefined;
  note?: string | undefined;
  comment?: string | undefined;
  expected_version?: number | undefined;
}

/** Changes the given fields of an asset, or moves it. Omitted fields are unchanged. */
export async function updateAsset(
  tx: Tx,
  caller: Caller,
  reference: string,
  update: AssetUpdate,
): Promise<AssetChange> {
  const cleaned = cleanUpdate(caller, update);
  const { meter_readings: given = [] } = update;
  // A reading can make any amount of work due.
  if (given.length > 0) await lockMembers(tx, caller.organizationId);
  if (update.parent_asset_id !== undefined) await lockParents(tx, caller);
  const asset = await lockAssetRecord(tx, caller, reference);
  const difference = await checkAssetUpdate(tx, caller, asset, update, cleaned);

  const warnings = await findCategory(tx, caller, update, cleaned.cleared, difference);
  warnings.push(...(await dropAssignee(tx, caller, asset, difference)));
  const readings = await recordReadings(tx, caller, asset, given);
  difference.readings = readings;
  warnings.push(...readings.warnings);
  const { version, changed } = await storeAssetChange(tx, caller, asset, difference, cleaned.note);
  if (update.comment !== undefined) {
    const workspaceId = difference.place?.id ?? null;
    const subject = { kind: "asset", id: asset.id, assetId: asset.id, workspaceId } as const;
    const { text, warnings: missed } = await addComment(tx, caller, subject, update.comment);
    warnings.push(...missed);
    changed.push({ field: "comment", to: text });
  }
  warnings.push(...(await releaseMovedTasks(tx, caller, asset, difference.place)));
  const after = { ...asset, ...difference.fields, version };
  if (cleaned.number !== undefined) after.inventory_number = cleaned.number;
  const names = changed.map(({ field }) => field);
  warnings.push(...(await findSameAssetWarnings(tx, caller, after, names)));
  warnings.push(...findSameValuesWarning("asset", update, changed));
  const hide = await createRedactor(tx, caller, changed);
  return { asset: toSummary(caller, after), changed: hide(changed), warnings };
}

interface CleanedUpdate {
  cleared: Set<ClearableField>;
  fields: Partial<PlainFields>;
  number: string | undefined;
  note: string | undefined;
}

function cleanUpdate(caller: Caller, update: AssetUpdate): CleanedUpdate {
  const cleared = validateUpdate(update);
  rejectNonePlaceholder(update, "clear");
  return {
    cleared,
    fields: { ...cleanAssetFields(caller, update), ...clearedFields(assetFields, cleared) },
    number:
      update.inventory_number === undefined
        ? undefined
        : cleanInventoryNumber(update.inventory_number, "present asset"),
    note: cleanNote(update.note),
  };
}

/** Validates an update by every rule except that its number is free. Stores nothing. */
export async function checkAssetUpdate(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  update: AssetUpdate,
  { cleared, fields, number } = cleanUpdate(caller, update),
): Promise<Difference> {
  const difference: Difference = {
    fields: {
      ...withCurrency(caller, asset, fields, cleared),
      ...changeTags(asset, fields, update),
    },
    place: await findNewPlace(tx, caller, asset, update, cleared),
  };
  if (number !== undefined) difference.inventoryNumber = number;
  await findParent(tx, caller, update, cleared, difference);
  await findAssignee(tx, caller, update, cleared, difference);
  await requireRoles(tx, caller, asset, difference);
  await checkVersion(tx, caller, { kind: "asset", ...asset }, update.expected_version);
  if (asset.state === "deleted") refuseForDeleted(update, cleared);
  if (difference.parent != null && difference.parent.id !== asset.parent_asset_id) {
    const { id: parentId } = difference.parent;
    const reference = update.parent_asset_id ?? parentId;
    await checkParent(tx, caller, { assetId: asset.id, parentId, reference });
  }
  if (update.category !== undefined) cleanCategory(update.category);
  checkTogether({ ...asset, ...difference.fields });
  return difference;
}

function changeTags(
  asset: AssetRecord,
  { tags = asset.tags }: Partial<PlainFields>,
  { add_tags: added = [], remove_tags: removed = [] }: AssetUpdate,
): Partial<PlainFields> {
  if (added.length + removed.length === 0) return {};
  const clean = (list: string[]) =>
    cleanFields({ tags: assetFields.tags }, { tags: list }).tags ?? [];
  const gone = new Set(clean(removed));
  return { tags: clean([...tags, ...added]).filter((tag) => !gone.has(tag)) };
}

/** A cost always has a currency. It defaults to the organization's. */
function withCurrency(
  caller: Caller,
  asset: AssetRecord,
  fields: Partial<PlainFields>,
  cleared: Set<ClearableField>,
): Partial<PlainFields> {
  const after = { purchase_cost: asset.purchase_cost, currency: asset.currency, ...fields };
  if (after.purchase_cost === null || after.currency !== null) return fields;
  if (fields.purchase_cost === undefined && !cleared.has("currency")) return fields;
  return { ...fields, currency: caller.currency };
}

async function findNewPlace(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  update: AssetUpdate,
  cleared: Set<ClearableField>,
): Promise<WorkspaceRef> {
  if (cleared.has("workspace_id")) return null;
  if (update.workspace_id === undefined) return workspaceRefOf(asset);
  return getWorkspace(tx, caller, update.workspace_id, "workspace_id", { lock: true });
}

async function findParent(
  tx: Tx,
  caller: Caller,
  update: AssetUpdate,
  cleared: Set<ClearableField>,
  difference: Difference,
): Promise<void> {
  if (cleared.has("parent_asset_id")) difference.parent = null;
  if (update.parent_asset_id === undefined) return;
  const id = await getAssetId(tx, caller, update.parent_asset_id, { field: "parent_asset_id" });
  const { name } = await readAssetRecord(tx, caller, id);
  difference.parent = { id, name };
}

async function findAssignee(
  tx: Tx,
  caller: Caller,
  update: AssetUpdate,
  cleared: Set<ClearableField>,
  difference: Difference,
): Promise<void> {
  if (cleared.has("assigned_to_user_id")) difference.assignee = null;
  if (update.assigned_to_user_id === undefined) return;
  const { place } = difference;
  difference.assignee = await getAssignee(tx, caller, update.assigned_to_user_id, place);
}

/** Returns a warning if the category is new and similar to an existing one. */
async function findCategory(
  tx: Tx,
  caller: Caller,
  update: AssetUpdate,
  cleared: Set<ClearableField>,
  difference: Difference,
): Promise<Warning[]> {
  if (cleared.has("category")) difference.category = null;
  if (update.category === undefined) return [];
  const category = await ensureCategory(tx, caller, update.category);
  difference.category = category;
  return findCategoryWarning(tx, caller, category);
}

/** Requires member or better in the current and new workspace, and admin to change the number. */
async function requireRoles(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  { place, inventoryNumber }: Difference,
): Promise<void> {
  const present = workspaceRefOf(asset);
  await requireRoleIn(tx, caller, present, "member", "edit assets");
  if (place?.id !== present?.id) await requireRoleIn(tx, caller, place, "member", "move assets");
  if (inventoryNumber !== undefined) {
    await requireRoleIn(tx, caller, present, "admin", ["change", "inventory_number"]);
  }
}

const allowedForDeleted = new Set<string>([
  "workspace_id",
  "clear_fields",
  "note",
  "comment",
  "expected_version",
]);

function refuseForDeleted(update: AssetUpdate, cleared: Set<ClearableField>): void {
  const other = Object.entries(update).find(
    ([name, value]) => value !== undefined && !allowedForDeleted.has(name),
  )?.[0];
  const refused = other ?? [...cleared].find((field) => field !== "workspace_id");
  if (refused === undefined) return;
  throw new AppError("invalid_transition", "asset_retired", { field: refused });
}

/** Unassigns a person who can't see the new workspace. */
export async function dropAssignee(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  difference: Difference,
): Promise<Warning[]> {
  const { place, assignee } = difference;
  const moves = (place?.id ?? null) !== asset.workspace_id;
  if (!moves || assignee !== undefined) return [];
  const lost = await findLostAssignee(tx, caller, asset, place);
  if (lost === undefined) return [];
  difference.assignee = null;
  return [lost];
}

import type { Tx } from "../../db/database.js";
import { Asset, assetFields } from "../../db/entities/assets.js";
import { plainFields, startValue } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { compareAsset, storeAssetChange, type Difference } from "../assets/asset-differences.js";
import { checkTogether } from "../assets/asset-fields.js";
import { dropAssignee } from "../assets/asset-updates.js";
import { checkParent } from "../assets/asset-parents.js";
import { readAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { ensureCategory } from "../assets/categories.js";
import { bringBackNumber } from "../assets/inventory-numbers.js";
import { describeNewState, storeAssetState, type NewState } from "../assets/store-asset-state.js";
import { requireRoleIn, workspaceRefOf } from "../access/roles.js";
import type { Change } from "./record-events.js";
import type { Named } from "../shared/refusals.js";
import { releaseMovedTasks } from "../people/moved-tasks.js";
import { undoReadings } from "../meters/undo-readings.js";
import { getAssignee } from "../shared/assignees.js";
import { getAssetId } from "../shared/asset-references.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { createParameters } from "../../db/parameters.js";
import { omit } from "../shared/omit.js";
import { withCurrencyOfCosts } from "./cost-currency.js";
import {
  findRestorations,
  hasChanged,
  isReading,
  placeFirst,
  type RestoredField,
} from "./past-changes.js";
import {
  findBuilder,
  orConflict,
  toConflicts,
  type Conflict,
  type Undoing,
  type Undone,
} from "./outcomes.js";
import { selectedSql } from "./selections.js";
import { findNewState } from "./undo-asset-state.js";

export async function undoAsset(undoing: Undoing): Promise<Undone> {
  const { tx, caller, subject, isApplied } = undoing;
  const conflicts: Conflict[] = [];
  const done = { subject, name: "", changes: [], isRemoved: false, conflicts };
  const id = await orConflict(conflicts, undefined, () =>
    getAssetId(tx, caller, subject.id, { lock: isApplied }),
  );
  if (id === undefined) return done;
  const asset = await readAssetRecord(tx, caller, id);
  const name = nameOfAsset(asset);
  await orConflict(conflicts, undefined, () =>
    requireRoleIn(tx, caller, workspaceRefOf(asset), "member", "edit assets"),
  );
  if (conflicts.length > 0) return { ...done, name };
  const outcome = subject.isCreated
    ? await undoCreation(undoing, asset)
    : await restore(undoing, asset);
  return { ...done, name, ...outcome };
}

export function nameOfAsset({ inventory_number: number, name }: AssetRecord): string {
  return `${number} ${name}`;
}

type Outcome = Pick<Undone, "changes" | "isRemoved" | "conflicts">;
const nothing: Outcome = { changes: [], isRemoved: false, conflicts: [] };

/** Retires a new asset, unless someone has built on it. */
async function undoCreation(undoing: Undoing, asset: AssetRecord): Promise<Outcome> {
  const { tx, caller, subject, isApplied } = undoing;
  if (asset.state === "deleted") return nothing;
  const by = findBuilder(subject.events);
  if (by !== undefined) return { ...nothing, conflicts: [{ by }] };
  if (await hasPartsOfOthers(undoing)) return { ...nothing, conflicts: [{}] };
  // Its tasks are undone separately.
  const change = { state: "deleted", reason: "entered_in_error", formerStates: {} } as const;
  if (isApplied) await storeAssetState(tx, caller, asset, change);
  return { ...nothing, isRemoved: true };
}

/** Returns true if an asset became its part through changes that aren't undone. */
async function hasPartsOfOthers({ tx, caller, subject, selection }: Undoing): Promise<boolean> {
  const parameters = createParameters(caller.organizationId, subject.id);
  const rows = await tx.query(
    `SELECT FROM assets a
     WHERE a.organization_id = $1 AND a.parent_asset_id = $2 AND a.state <> 'deleted'
       AND NOT EXISTS (SELECT FROM history_events e WHERE e.organization_id = $1
         AND e.asset_id = a.id AND ${selectedSql(selection, parameters, "e")})
     LIMIT 1`,
    parameters.values,
  );
  return rows.length > 0;
}

async function restore(undoing: Undoing, asset: AssetRecord): Promise<Outcome> {
  const events = undoing.subject.events.filter(({ type }) => type.startsWith("asset_"));
  const { restored, kept } = findRestorations(events, (field) => presentOf(asset, field));
  const conflicts = toConflicts(kept, events);
  const newState = await findNewState(undoing, asset, restored, conflicts);
  const plain = restored.filter(({ field }) => field !== "state" && field !== "deletion_reason");
  const fields = withCurrencyOfCosts(plain, conflicts, {
    costs: ["purchase_cost"],
    presentOf: (field) => presentOf(asset, field),
  });
  const hasReadings = hasChanged(events, isReading);
  const field = fields[0]?.field ?? (hasReadings ? "meters" : undefined);
  if (asset.state === "deleted" && newState === undefined && field !== undefined) {
    const refusal = {
      code: "invalid_transition",
      key: "asset_retired",
      params: { field },
    } as const;
    return { ...nothing, conflicts: [...conflicts, { refusal }] };
  }
  const difference = await toDifference(undoing, asset, { fields, conflicts });
  if (hasReadings) difference.readings = await undoReadings(undoing, asset, conflicts);
  if (undoing.isApplied) {
    return {
      ...nothing,
      changes: await store(undoing, asset, { difference, newState }),
      conflicts,
    };
  }
  const changes = [...compareAsset(asset, difference).events.values()].flat();
  changes.push(...(difference.readings?.changes ?? []));
  if (newState !== undefined) changes.unshift(...describeNewState(asset, newState));
  return { ...nothing, changes, conflicts };
}

function presentOf(asset: AssetRecord, field: string): unknown {
  return asset[field as keyof AssetRecord];
}

/** Resolves the fields' references again. A missing or forbidden reference is a conflict. */
async function toDifference(
  undoing: Undoing,
  asset: AssetRecord,
  { fields, conflicts }: { fields: readonly RestoredField[]; conflicts: Conflict[] },
): Promise<Difference> {
  const difference: Difference = { fields: {}, place: workspaceRefOf(asset) };
  const references = restorersOf(undoing, asset, difference);
  const plain = new Map(plainFields(assetFields));
  for (const { field, value } of placeFirst(fields)) {
    const rule = plain.get(field);
    if (rule !== undefined)
      difference.fields = { ...difference.fields, [field]: value ?? startValue(rule) };
    await orConflict(conflicts, field, () => references[field]?.(value as string | undefined));
  }
  const checked = await orConflict(conflicts, "warranty_expires_on", () => {
    checkTogether({ ...asset, ...difference.fields });
    return true;
  });
  if (checked === undefined) {
    difference.fields = omit(difference.fields, "purchase_date", "warranty_expires_on");
  }
  return difference;
}

/** Returns a function per reference that restores its value. Undefined means no value. */
function restorersOf(
  { tx, caller, isApplied }: Undoing,
  asset: AssetRecord,
  difference: Difference,
): Record<string, (value: string | undefined) => Promise<void>> {
  const present = workspaceRefOf(asset);
  return {
    workspace_id: async (value) => {
      const place =
        value === undefined
          ? null
          : await getWorkspace(tx, caller, value, "workspace_id", { lock: isApplied });
      await requireRoleIn(tx, caller, place, "member", "move assets");
      difference.place = place;
    },
    inventory_number: async (value = "") => {
      await requireRoleIn(tx, caller, present, "admin", ["change", "inventory_number"]);
      await refuseTakenNumber(tx, caller, value);
      difference.inventoryNumber = value;
    },
    category: async (value) => {
      if (value === undefined) difference.category = null;
      else if (isApplied) difference.category = await ensureCategory(tx, caller, value);
      else difference.category = { id: "", name: value };
    },
    parent_asset_id: async (value) => {
      difference.parent = value === undefined ? null : await findParent(tx, caller, asset, value);
    },
    assigned_to_user_id: async (value) => {
      difference.assignee =
        value === undefined ? null : await getAssignee(tx, caller, value, difference.place);
    },
  };
}

async function findParent(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  reference: string,
): Promise<Named> {
  const id = await getAssetId(tx, caller, reference, { field: "parent_asset_id" });
  await checkParent(tx, caller, { assetId: asset.id, parentId: id, reference, isUndo: true });
  return { id, name: (await readAssetRecord(tx, caller, id)).name };
}

async function refuseTakenNumber(tx: Tx, caller: Caller, inventory_number: string): Promise<void> {
  const { organizationId: organization_id } = caller;
  if (!(await tx.exists(Asset, { organization_id, inventory_number }))) return;
  const details = { field: "inventory_number", whose: "present asset", holder: "hidden" } as const;
  throw new AppError("duplicate", "number_taken", details);
}

interface Stored {
  difference: Difference;
  newState: NewState | undefined;
}

async function store(
  { tx, caller }: Undoing,
  asset: AssetRecord,
  { difference, newState }: Stored,
): Promise<Change[]> {
  const { inventoryNumber } = difference;
  if (inventoryNumber !== undefined) await bringBackNumber(tx, caller, inventoryNumber);
  await dropAssignee(tx, caller, asset, difference);
  const { changed } = await storeAssetChange(tx, caller, asset, difference, undefined);
  await releaseMovedTasks(tx, caller, asset, difference.place);
  if (newState === undefined) return changed;
  const now = await readAssetRecord(tx, caller, asset.id);
  return [...changed, ...(await storeAssetState(tx, caller, now, newState)).changed];
}

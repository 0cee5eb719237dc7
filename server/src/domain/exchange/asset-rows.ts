import type { Tx } from "../../db/database.js";
import { assetFields } from "../../db/entities/assets.js";
import type { Caller } from "../access/caller.js";
import { visibleAssetSql } from "../access/visibility.js";
import type { AssetChange } from "../assets/asset-answers.js";
import { readAssetRecords, type AssetRecord } from "../assets/asset-record.js";
import { checkAssetUpdate, updateAsset, type AssetUpdate } from "../assets/asset-updates.js";
import {
  changeAssetState,
  checkStateChange,
  restoredStates,
  type StateChange,
} from "../assets/change-asset-state.js";
import { checkNewAsset, createAsset, createAssets, type NewAsset } from "../assets/create-asset.js";
import { findTakenNumbers, withNumberSql, numberTaken } from "../assets/inventory-numbers.js";
import { selectFields } from "../shared/field-columns.js";
import { createParameters } from "../../db/parameters.js";
import { omit } from "../shared/omit.js";
import { toNfc } from "../shared/text.js";
import { isLiveState, joinTexts, type RowValues } from "./read-values.js";
import type { CheckedRow, Match, RowKind, RowResult } from "./row-kinds.js";

type StoredAsset = RowValues & { id: string; version: number };

/**
 * Matches by inventory number. A row without one matches by a serial number that only one asset
 * has.
 */
async function match(
  tx: Tx,
  caller: Caller,
  rows: readonly RowValues[],
): Promise<(Match | undefined)[]> {
  const texts = (field: string) => rows.flatMap((row) => (row[field] as string | undefined) ?? []);
  const parameters = createParameters(
    caller.organizationId,
    texts("inventory_number"),
    texts("serial_number"),
  );
  const found = await tx.query<StoredAsset>(
    `SELECT a.id, a.version, a.inventory_number, a.state, a.deletion_reason,
       ${selectFields(assetFields, "a")}, w.name::text AS workspace_id, c.name::text AS category,
       p.inventory_number AS parent_asset_id, u.email::text AS assigned_to_user_id,
       u.name AS assigned_to
     FROM assets a
     LEFT JOIN asset_categories c ON c.organization_id = $1 AND c.id = a.category_id
     LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = a.workspace_id
     LEFT JOIN assets p ON p.organization_id = $1 AND p.id = a.parent_asset_id
     LEFT JOIN users u ON u.id = a.assigned_to_user_id
     WHERE a.organization_id = $1
       AND a.id = ANY (ARRAY(${withNumberSql("inventory_number", "$2")}
         UNION ALL ${withNumberSql("serial_number", "$3")}))
       AND ${visibleAssetSql(caller, parameters, "a")}`,
    parameters.values,
  );
  return rows.map(({ inventory_number: number, serial_number: serial }) => {
    const own = found.filter((one) =>
      number === undefined
        ? serial !== undefined && one["serial_number"] === serial && isLiveState(one["state"])
        : one["inventory_number"] === number,
    );
    const [only] = own;
    if (own.length !== 1 || only === undefined) return undefined;
    // Undoing an import retires its assets for this reason. Importing them again restores them.
    const usual = only["deletion_reason"] === "entered_in_error" ? { state: "available" } : {};
    return { id: only.id, version: only.version, fields: only, usual };
  });
}

type Step = { state: StateChange["state"] } | { fields: AssetUpdate };

/**
 * Fields and state are changed separately. A retired asset is first restored, in an allowed state.
 */
function toSteps(differing: RowValues, before: unknown): Step[] {
  const state = differing["state"] as StateChange["state"] | undefined;
  const fields = omit(differing, "state");
  const isLive = isLiveState(state);
  const isDetour = isLive && before === "deleted" && !restoredStates.some((one) => one === state);
  return [
    ...(isDetour ? [{ state: "available" } as const] : []),
    ...(state !== undefined && isLive ? [{ state }] : []),
    ...(Object.keys(fields).length === 0 ? [] : [{ fields }]),
    ...(state === "deleted" ? [{ state }] : []),
  ];
}

async function change(
  tx: Tx,
  caller: Caller,
  { id, version, fields }: Match,
  differing: RowValues,
): Promise<AssetChange> {
  let expected = version;
  const changes: AssetChange[] = [];
  for (const step of toSteps(differing, fields["state"])) {
    const done: AssetChange =
      "state" in step
        ? await changeAssetState(tx, caller, id, { ...step, expectedVersion: expected })
        : await updateAsset(tx, caller, id, { ...step.fields, expected_version: expected });
    expected = done.asset.version;
    changes.push(done);
  }
  const last = changes.at(-1);
  if (last === undefined) throw new Error("A row without a difference was to be stored.");
  return { ...last, changed: changes.flatMap(({ changed }) => changed) };
}

async function prepareCheck(
  tx: Tx,
  caller: Caller,
  rows: readonly CheckedRow[],
): Promise<(row: CheckedRow) => Promise<void>> {
  const ids = rows.flatMap(({ match: found }) => found?.id ?? []);
  const numbers = rows.flatMap(({ values: { inventory_number: number } }) =>
    typeof number === "string" ? toNfc(number.trim()) : [],
  );
  const records = await readAssetRecords(tx, caller, ids);
  const taken = await findTakenNumbers(tx, caller, numbers);
  return ({ match: found, values }) => {
    const record = found && records.get(found.id);
    return record === undefined
      ? checkNew(tx, caller, values, taken)
      : checkChange(tx, caller, record, values);
  };
}

async function checkNew(
  tx: Tx,
  caller: Caller,
  values: RowValues,
  taken: ReadonlySet<string>,
): Promise<void> {
  const { number } = await checkNewAsset(tx, caller, toNewAsset(values));
  if (number === undefined || !taken.has(number)) return;
  throw await numberTaken(tx, caller, { number, whose: "new asset" });
}

async function checkChange(
  tx: Tx,
  caller: Caller,
  record: AssetRecord,
  differing: RowValues,
): Promise<void> {
  let asset = record;
  for (const step of toSteps(differing, asset.state)) {
    if ("state" in step) {
      await checkStateChange(tx, caller, asset, step);
      asset = { ...asset, ...step };
    } else await checkAssetUpdate(tx, caller, asset, step.fields);
  }
}

/** A retired asset is created and then retired. */
function toNewAsset(values: RowValues): NewAsset {
  return values["state"] === "deleted" ? omit(values, "state") : values;
}

function toResult({
  asset,
  changed,
}: {
  asset: Pick<AssetChange["asset"], "id" | "inventory_number" | "name">;
  changed: AssetChange["changed"];
}): RowResult {
  return { id: asset.id, name: `${asset.inventory_number} ${asset.name}`, changed };
}

export const assetRows: RowKind = {
  nameOf: ({ name, inventory_number: number }) => joinTexts(number, name),
  keyOf: ({ inventory_number: number }) => number as string | undefined,
  wholeOf: ({ parent_asset_id: parent }) => parent as string | undefined,
  match,
  prepareCheck,
  createAll: async (tx, { caller }, rows) => {
    const created = await createAssets(tx, caller, rows.map(toNewAsset));
    for (const [at, { id }] of created.entries()) {
      if (rows[at]?.["state"] !== "deleted") continue;
      await changeAssetState(tx, caller, id, { state: "deleted" });
    }
    return created.map((asset) => toResult({ asset, changed: [] }));
  },
  create: async (tx, { caller }, values) => {
    const { asset } = await createAsset(tx, caller, toNewAsset(values));
    if (values["state"] === "deleted")
      await changeAssetState(tx, caller, asset.id, { state: "deleted" });
    return toResult({ asset, changed: [] });
  },
  update: async (tx, { caller }, found, differing) =>
    toResult(await change(tx, caller, found, differing)),
};

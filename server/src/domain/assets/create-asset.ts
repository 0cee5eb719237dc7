import type { Tx } from "../../db/database.js";
import { Asset, assetFields, type AssetState } from "../../db/entities/assets.js";
import { AppError } from "../../errors.js";
import { assetUrl } from "../access/urls.js";
import { startFields } from "../shared/clean-fields.js";
import {
  checkTogether,
  cleanAssetFields,
  type GivenFields,
  type PlainFields,
} from "./asset-fields.js";
import { checkParent, lockParents } from "./asset-parents.js";
import { getAssignee } from "../shared/assignees.js";
import { getAssetId } from "../shared/asset-references.js";
import type { AssetSummary } from "./asset-answers.js";
import { openFirstPeriodsSql } from "./store-asset-state.js";
import { findCategoryWarning, findSameAssetWarnings } from "./asset-warnings.js";
import { cleanCategory, ensureCategory, type Category } from "./categories.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { recordEvent, recordEvents } from "../history/record-events.js";
import type { Warning } from "../shared/warnings.js";
import { RetryTransaction } from "../../db/retry-transaction.js";
import { createId, createToken } from "../shared/ids.js";
import {
  cleanInventoryNumber,
  findTakenNumbers,
  isTaken,
  numberTaken,
  withGivenNumber,
} from "./inventory-numbers.js";
import { rejectNonePlaceholder } from "../shared/none-placeholder.js";
import { requireRoleIn, type WorkspaceRef } from "../access/roles.js";
import { getWorkspace, rejectMissingWorkspace } from "../shared/workspace-references.js";

/** `name` is required. */
export interface NewAsset extends GivenFields {
  state?: Exclude<AssetState, "deleted"> | undefined;
}

export interface CreatedAsset {
  asset: AssetSummary & { workspace_id?: string; workspace_name?: string };
  warnings: Warning[];
}

interface Links {
  place: WorkspaceRef;
  parentId: string | undefined;
  assigneeId: string | undefined;
}

export async function createAsset(tx: Tx, caller: Caller, given: NewAsset): Promise<CreatedAsset> {
  if (given.parent_asset_id !== undefined) await lockParents(tx, caller);
  const { fields, number, links } = await checkNewAsset(tx, caller, given);
  const category =
    given.category === undefined ? undefined : await ensureCategory(tx, caller, given.category);
  fields.criticality = given.criticality ?? category?.default_criticality ?? fields.criticality;

  const state = given.state ?? "available";
  const row = toRow(caller, { fields, links, category, state, number });
  const insert = async (savepoint: Tx) =>
    (await insertRows(savepoint, [row])) as [AssetRow & Numbered];
  const [made] =
    number === undefined
      ? await insert(tx)
      : await withGivenNumber(tx, caller, { number, whose: "new asset" }, insert);
  const { id, inventory_number } = made;
  const { place } = links;
  await recordEvent(tx, caller, toEvent(made));
  return {
    asset: {
      id,
      inventory_number,
      name: fields.name,
      state,
      ...(place !== null && { workspace_id: place.id, workspace_name: place.name }),
      version: 1,
      url: assetUrl(caller, id),
    },
    warnings: [
      ...(await findSameAssetWarnings(tx, caller, made)),
      ...(await findCategoryWarning(tx, caller, category)),
    ],
  };
}

interface CheckedAsset {
  fields: PlainFields;
  /** Undefined for the organization's next number. */
  number: string | undefined;
  links: Links;
}

/** Validates a new asset by every rule except that its number is free. Stores nothing. */
export async function checkNewAsset(
  tx: Tx,
  caller: Caller,
  given: NewAsset,
): Promise<CheckedAsset> {
  rejectNonePlaceholder(given, "leave out");
  const fields = withDefaults(caller, cleanAssetFields(caller, given));
  const number =
    given.inventory_number === undefined
      ? undefined
      : cleanInventoryNumber(given.inventory_number, "new asset");
  const links = await findLinks(tx, caller, given);
  if (given.category !== undefined) cleanCategory(given.category);
  return { fields, number, links };
}

function withDefaults(caller: Caller, cleaned: Partial<PlainFields>): PlainFields {
  const { name } = cleaned;
  if (name === undefined) {
    throw new AppError("validation_failed", "missing", { field: "name" });
  }
  const fields: PlainFields = { ...startFields(assetFields), ...cleaned, name };
  if (fields.purchase_cost !== null) fields.currency ??= caller.currency;
  checkTogether(fields);
  return fields;
}

async function findLinks(tx: Tx, caller: Caller, given: NewAsset): Promise<Links> {
  const place =
    given.workspace_id === undefined
      ? null
      : await getWorkspace(tx, caller, given.workspace_id, "workspace_id", { lock: true });
  if (place === null && !isOrganizationAdmin(caller)) {
    await rejectMissingWorkspace(tx, caller, "add");
  }
  const parentId =
    given.parent_asset_id === undefined
      ? undefined
      : await getAssetId(tx, caller, given.parent_asset_id, { field: "parent_asset_id" });
  const assignee =
    given.assigned_to_user_id === undefined
      ? undefined
      : await getAssignee(tx, caller, given.assigned_to_user_id, place);
  await requireRoleIn(tx, caller, place, "member", "add assets");
  if (given.inventory_number !== undefined) {
    await requireRoleIn(tx, caller, place, "admin", ["set", "inventory_number"]);
  }
  if (parentId !== undefined) {
    await checkParent(tx, caller, { parentId, reference: given.parent_asset_id ?? parentId });
  }
  return { place, parentId, assigneeId: assignee?.id };
}

/**
 * Creates several assets with few statements and without warnings. If one is refused, none is
 * created.
 */
export async function createAssets(
  tx: Tx,
  caller: Caller,
  given: readonly NewAsset[],
): Promise<{ id: string; inventory_number: string; name: string }[]> {
  if (given.some((one) => one.parent_asset_id !== undefined)) await lockParents(tx, caller);
  const reads = tx.memoizeQueries();
  const checked: CheckedAsset[] = [];
  for (const one of given) checked.push(await checkNewAsset(reads, caller, one));
  const categories = new Map<string | undefined, Category>();
  for (const name of new Set(given.flatMap(({ category }) => category ?? []))) {
    categories.set(name, await ensureCategory(tx, caller, name));
  }
  const numbers = checked.flatMap(({ number }) => number ?? []);
  for (const number of await findTakenNumbers(tx, caller, numbers)) {
    throw await numberTaken(tx, caller, { number, whose: "new asset" });
  }
  const rows = checked.map(({ fields, links, number }, at) => {
    const category = categories.get(given[at]?.category);
    const criticality = given[at]?.criticality ?? category?.default_criticality;
    return toRow(caller, {
      fields: { ...fields, ...(criticality != null && { criticality }) },
      links,
      category,
      state: given[at]?.state ?? "available",
      number,
    });
  });
  const made = await insertRows(tx, rows);
  await recordEvents(tx, caller, made.map(toEvent));
  return made;
}

/**
 * Inserts assets with their first state periods. The database gives the next number to a row
 * without one. Retries the transaction if someone sets this number by hand at the same time.
 */
async function insertRows(tx: Tx, rows: readonly AssetRow[]) {
  const numbers = await tx
    .insert(Asset, [...rows], {
      returning: ["organization_id", "id", "state", "inventory_number", "created_at"],
      alongside: openFirstPeriodsSql,
    })
    .catch((error: unknown) => {
      throw isTaken(error) && rows.some((row) => row.inventory_number === undefined)
        ? new RetryTransaction("Someone took a number.", { cause: error })
        : error;
    });
  return rows.map((row, index) => ({ ...row, ...(numbers[index] as Numbered) }));
}

type AssetRow = ReturnType<typeof toRow>;
type Numbered = Pick<Asset, "inventory_number" | "created_at">;

function toEvent({ id, workspace_id, created_at, ...entered }: AssetRow & Numbered) {
  return {
    type: "asset_created",
    assetId: id,
    workspaceId: workspace_id,
    occurredAt: created_at,
    recordedAt: created_at,
    entered,
  } as const;
}

interface Insertion {
  fields: PlainFields;
  links: Links;
  category: Category | undefined;
  state: AssetState;
  number: string | undefined;
}

function toRow(caller: Caller, { fields, links, category, state, number }: Insertion) {
  return {
    ...fields,
    id: createId("asset"),
    organization_id: caller.organizationId,
    workspace_id: links.place?.id ?? null,
    ...(number !== undefined && { inventory_number: number }),
    category_id: category?.id ?? null,
    state,
    parent_asset_id: links.parentId ?? null,
    assigned_to_user_id: links.assigneeId ?? null,
    qr_token: createToken(),
    created_by: caller.userId,
  };
}

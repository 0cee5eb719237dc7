import type { EntityManager } from "typeorm";
import type { AssetState } from "../../db/entities/asset.js";
import { AppError } from "../../errors.js";
import { assetUrl } from "../access/urls.js";
import { checkTogether, cleanFields, type GivenFields, type PlainFields } from "./asset-fields.js";
import { checkParent, lockParents } from "./asset-parents.js";
import { getAssignee, rejectUnplaced } from "../references/assignees.js";
import { getAssetId } from "../references/asset-references.js";
import { openFirstPeriod } from "./asset-state-store.js";
import { findCategoryWarning, findDuplicateWarning } from "./asset-warnings.js";
import { ensureCategory, type Category } from "./categories.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { recordEvent } from "../events/record-events.js";
import { createId, createToken } from "../values/ids.js";
import {
  cleanInventoryNumber,
  insertWithNextNumber,
  withGivenNumber,
} from "./inventory-numbers.js";
import { leaveOutInstead, rejectNonePlaceholder } from "../references/none-placeholder.js";
import { requireRoleIn, type WorkspaceRef } from "../access/roles.js";
import { getWorkspace } from "../references/workspace-references.js";

export interface NewAsset extends GivenFields {
  name: string;
  workspace_id?: string | undefined;
  inventory_number?: string | undefined;
  category?: string | undefined;
  parent_asset_id?: string | undefined;
  assigned_to_user_id?: string | undefined;
  state?: Exclude<AssetState, "deleted"> | undefined;
}

export interface CreatedAsset {
  asset: {
    id: string;
    inventory_number: string;
    name: string;
    state: AssetState;
    workspace_id?: string;
    workspace_name?: string;
    version: number;
    url: string;
  };
  warnings: string[];
}

/** Everything the new asset refers to, found and allowed. */
interface Links {
  place: WorkspaceRef;
  parentId: string | undefined;
  assigneeId: string | undefined;
}

export async function createAsset(
  tx: EntityManager,
  caller: Caller,
  given: NewAsset,
): Promise<CreatedAsset> {
  rejectNonePlaceholder(given, {
    assigned_to_user_id: leaveOutInstead("assigned_to_user_id"),
    workspace_id: leaveOutInstead("workspace_id"),
  });
  const fields = withDefaults(caller, cleanFields(caller, given));
  const number =
    given.inventory_number === undefined
      ? undefined
      : cleanInventoryNumber(given.inventory_number, "new asset");
  const links = await findLinks(tx, caller, given);
  const category =
    given.category === undefined ? undefined : await ensureCategory(tx, caller, given.category);

  const state = given.state ?? "available";
  const insert = (savepoint: EntityManager, inventoryNumber: string) =>
    insertAsset(savepoint, caller, { fields, links, category, state, inventoryNumber });
  const { id, inventoryNumber, createdAt } =
    number === undefined
      ? await insertWithNextNumber(tx, caller, insert)
      : await withGivenNumber(tx, caller, { number, whose: "new asset" }, (savepoint) =>
          insert(savepoint, number),
        );

  await openFirstPeriod(tx, caller, { id, state }, createdAt);
  const { place } = links;
  await recordEvent(tx, caller, {
    type: "asset_created",
    assetId: id,
    workspaceId: place?.id ?? null,
    occurredAt: createdAt,
    recordedAt: createdAt,
  });
  return {
    asset: {
      id,
      inventory_number: inventoryNumber,
      name: fields.name,
      state,
      ...(place !== null && { workspace_id: place.id, workspace_name: place.name }),
      version: 1,
      url: assetUrl(caller, id),
    },
    warnings: [
      ...(await findDuplicateWarning(tx, caller, { ...fields, id })),
      ...(await findCategoryWarning(tx, caller, category)),
    ],
  };
}

const emptyFields: Omit<PlainFields, "name" | "criticality"> = {
  description: null,
  manufacturer: null,
  model: null,
  serial_number: null,
  location: null,
  condition: null,
  supplier: null,
  purchase_date: null,
  purchase_cost: null,
  currency: null,
  warranty_expires_on: null,
  in_service_date: null,
  end_of_life_on: null,
  tags: [],
};

type NewFields = typeof emptyFields & { name: string; criticality: string | null };

function withDefaults(caller: Caller, cleaned: Partial<PlainFields>): NewFields {
  const { name } = cleaned;
  if (name === undefined) {
    throw new AppError("validation_failed", "Validation failed: name is missing.", {
      field: "name",
    });
  }
  const fields: NewFields = { ...emptyFields, criticality: null, ...cleaned, name };
  if (fields.purchase_cost !== null) fields.currency ??= caller.currency;
  checkTogether(fields);
  return fields;
}

async function findLinks(tx: EntityManager, caller: Caller, given: NewAsset): Promise<Links> {
  if (given.parent_asset_id !== undefined) await lockParents(tx, caller);
  const place =
    given.workspace_id === undefined
      ? null
      : await getWorkspace(tx, caller, given.workspace_id, "workspace_id", { lock: true });
  if (place === null && !isOrganizationAdmin(caller)) await rejectUnplaced(tx, caller);
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
    await requireRoleIn(tx, caller, place, "admin", "set inventory_number");
  }
  if (parentId !== undefined) {
    await checkParent(tx, caller, { parentId, reference: given.parent_asset_id ?? parentId });
  }
  return { place, parentId, assigneeId: assignee?.id };
}

interface Insertion {
  fields: NewFields;
  links: Links;
  category: Category | undefined;
  state: AssetState;
  inventoryNumber: string;
}

async function insertAsset(
  tx: EntityManager,
  caller: Caller,
  { fields, links, category, state, inventoryNumber }: Insertion,
): Promise<{ id: string; inventoryNumber: string; createdAt: Date }> {
  const id = createId("asset");
  const rows: { created_at: Date }[] = await tx.query(
    `INSERT INTO assets (id, organization_id, workspace_id, inventory_number, category_id, state,
       parent_asset_id, assigned_to_user_id, qr_token, created_by, name, description, manufacturer,
       model, serial_number, location, criticality, condition, supplier, purchase_date,
       purchase_cost, currency, warranty_expires_on, in_service_date, end_of_life_on, tags)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $20, $21, $22, $23, $24, $25, $26)
     RETURNING created_at`,
    [
      id,
      caller.organizationId,
      links.place?.id ?? null,
      inventoryNumber,
      category?.id ?? null,
      state,
      links.parentId ?? null,
      links.assigneeId ?? null,
      createToken(),
      caller.userId,
      fields.name,
      fields.description,
      fields.manufacturer,
      fields.model,
      fields.serial_number,
      fields.location,
      fields.criticality ?? category?.default_criticality ?? "medium",
      fields.condition,
      fields.supplier,
      fields.purchase_date,
      fields.purchase_cost,
      fields.currency,
      fields.warranty_expires_on,
      fields.in_service_date,
      fields.end_of_life_on,
      fields.tags,
    ],
  );
  const createdAt = rows[0]?.created_at;
  if (createdAt === undefined) throw new Error("The new asset was not stored.");
  return { id, inventoryNumber, createdAt };
}

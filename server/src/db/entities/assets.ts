import { flag, instant, instantNow, integer, oneOf, text, citext, bigint } from "../columns.js";
import { columnsOf, field } from "../fields.js";
import { table, type Row } from "../table.js";

/** States of assets that are not retired. */
export const liveAssetStates = [
  "available",
  "in_use",
  "in_maintenance",
  "out_of_service",
  "stored",
] as const;
export const assetStates = [...liveAssetStates, "deleted"] as const;
export type AssetState = (typeof assetStates)[number];

export const criticalities = ["low", "medium", "high", "critical"] as const;
export type Criticality = (typeof criticalities)[number];

const assetConditions = ["excellent", "good", "fair", "poor", "failed"] as const;
export type AssetCondition = (typeof assetConditions)[number];

export const deletionReasons = [
  "disposed",
  "sold",
  "scrapped",
  "lost",
  "stolen",
  "donated",
  "returned",
  "duplicate",
  "entered_in_error",
  "other",
] as const;
export type DeletionReason = (typeof deletionReasons)[number];

/** Fields that people enter for an asset, in the order of the tools' parameters. */
export const assetFields = {
  name: field.text({ max: 200, required: true }),
  workspace_id: field.reference({ max: 100 }),
  /** Unique in the organization, retired assets included. */
  inventory_number: field.reference({ max: 64, required: true }),
  category: field.reference({ max: 100 }),
  description: field.text({ max: 5000, multiline: true }),
  manufacturer: field.text({ max: 120 }),
  model: field.text({ max: 120 }),
  serial_number: field.text({ max: 120 }),
  location: field.text({ max: 200 }),
  parent_asset_id: field.reference({ max: 64 }),
  assigned_to_user_id: field.reference({ max: 254 }),
  criticality: field.choice(criticalities, { required: true, default: "medium" }),
  /** Null: not rated. */
  condition: field.choice(assetConditions),
  supplier: field.text({ max: 120 }),
  purchase_date: field.day(),
  purchase_cost: field.amount(),
  currency: field.currency(),
  cost_center: field.text({ max: 60 }),
  warranty_expires_on: field.day(),
  in_service_date: field.day(),
  end_of_life_on: field.day(),
  tags: field.tags(),
};

export const Asset = table(
  "assets",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    workspace_id: text().nullable().references("workspaces", "RESTRICT"),
    /** Unique in the organization, retired assets included. */
    inventory_number: text(),
    ...columnsOf(assetFields),
    category_id: text().nullable().references("asset_categories", "RESTRICT"),
    state: oneOf(assetStates).default("available"),
    state_changed_at: instantNow(),
    /**
     * True if out of service, or in maintenance unless planned work is in progress. Set by the
     * database.
     */
    awaits_work: flag().default(false),
    parent_asset_id: text().nullable().references("assets"),
    assigned_to_user_id: text().nullable().references("organization_members.user_id"),
    last_seen_at: instant().nullable(),
    last_seen_by: text().nullable().references("users"),
    /** Never changes. */
    qr_token: text(),
    deleted_at: instant().nullable(),
    deletion_reason: oneOf(deletionReasons).nullable(),
    state_before_deletion: text<AssetState>().nullable(),
    merged_into_asset_id: text().nullable().references("assets"),
    created_by: text().references("users"),
    created_at: instantNow(),
    updated_at: instantNow(),
    version: integer().default(1),
  },
  {
    uniques: [
      ["organization_id", "inventory_number"],
      ["organization_id", "qr_token"],
    ],
    indexes: {
      category_id: ["organization_id", "category_id"],
      parent_asset_id: ["organization_id", "parent_asset_id"],
      merged_into_asset_id: ["organization_id", "merged_into_asset_id"],
      updated_at: ["organization_id", "updated_at", "id"],
      created_at: ["organization_id", "created_at", "id"],
      serial_number: ["organization_id", "serial_number"],
      qr_token: ["qr_token"],
    },
    sqlIndexes: [
      "name",
      "counts",
      "workspace_id_name",
      "not_placed",
      "state",
      "criticality",
      "awaiting_work",
      "warranty_expires_on",
      "last_seen_at",
      "assigned_to_user_id",
      "search",
    ],
    checks: [
      "name",
      "inventory_number",
      "description",
      "purchase_cost",
      "warranty",
      "tags",
      "deleted",
    ],
    searchable: ["search"],
    sortable: ["name_key"],
  },
);
export type Asset = Row<typeof Asset>;

export const AssetCategory = table(
  "asset_categories",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    name: citext(),
    parent_id: text().nullable().references("asset_categories"),
    default_useful_life_months: integer().nullable(),
    default_criticality: oneOf(criticalities).nullable(),
    external_code: text().nullable(),
    created_at: instantNow(),
  },
  {
    uniques: [["organization_id", "name"]],
    checks: ["name"],
  },
);
export type AssetCategory = Row<typeof AssetCategory>;

const downtimeKinds = ["planned", "unplanned"] as const;
export type DowntimeKind = (typeof downtimeKinds)[number];

export const AssetStatePeriod = table(
  "asset_state_periods",
  {
    organization_id: text().primary(),
    id: bigint().primary().generated(),
    asset_id: text().references("assets", "RESTRICT"),
    state: text<AssetState>(),
    started_at: instant(),
    /** Null: the open period. Each asset has one. */
    ended_at: instant().nullable(),
    downtime_kind: oneOf(downtimeKinds).nullable(),
    task_id: text().nullable(),
    /**
     * The asset's workspace and category, and `hidden` if the asset is retired. Maintained by
     * triggers.
     */
    workspace_id: text().nullable(),
    category_id: text().nullable(),
    hidden: flag().default(false),
    /** When the asset was last up or down. For periods in which it is neither. */
    idle_since: instant().nullable(),
    /**
     * True for a change to out_of_service that no corrective task covers, see
     * `domain/assets/reliability.ts`.
     */
    is_failure: flag().default(false),
  },
  {
    indexes: {
      asset_id: ["organization_id", "asset_id", "started_at"],
      started_at: ["organization_id", "started_at"],
      ended_at: ["organization_id", "ended_at"],
      idle_since: ["organization_id", "idle_since"],
    },
    sqlIndexes: ["failed", "down"],
    uniqueIndexes: { open: ["organization_id", "asset_id"] },
    checks: ["order"],
  },
);
export type AssetStatePeriod = Row<typeof AssetStatePeriod>;

export const RetiredInventoryNumber = table("retired_inventory_numbers", {
  organization_id: text().primary().references("organizations", "CASCADE"),
  inventory_number: text().primary(),
  retired_at: instantNow(),
});
export type RetiredInventoryNumber = Row<typeof RetiredInventoryNumber>;

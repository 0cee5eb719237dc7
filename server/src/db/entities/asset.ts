import {
  amount,
  currency,
  day,
  instant,
  instantNow,
  integer,
  oneOf,
  text,
  texts,
} from "../columns.js";
import { table, type Row } from "../table.js";

/** Of assets that are not retired. */
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

export const assetConditions = ["excellent", "good", "fair", "poor", "failed"] as const;
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

export const Asset = table(
  "assets",
  {
    id: text().primary(),
    organization_id: text().references("organizations", "CASCADE"),
    workspace_id: text().nullable().references("workspaces", "RESTRICT"),
    /** Unique in the organization, deleted assets included. */
    inventory_number: text(),
    name: text(),
    description: text().nullable(),
    category_id: text().nullable().references("asset_categories", "RESTRICT"),
    state: oneOf(assetStates).default("available"),
    state_changed_at: instantNow(),
    criticality: oneOf(criticalities).default("medium"),
    /** Null: not rated. */
    condition: oneOf(assetConditions).nullable(),
    manufacturer: text().nullable(),
    model: text().nullable(),
    serial_number: text().nullable(),
    location: text().nullable(),
    parent_asset_id: text().nullable().references("assets", "SET NULL"),
    assigned_to_user_id: text().nullable().references("organization_members.user_id"),
    supplier: text().nullable(),
    purchase_date: day().nullable(),
    /** In units of the currency, with four decimals. */
    purchase_cost: amount().nullable(),
    currency: currency().nullable(),
    warranty_expires_on: day().nullable(),
    in_service_date: day().nullable(),
    end_of_life_on: day().nullable(),
    last_seen_at: instant().nullable(),
    last_seen_by: text().nullable().references("users"),
    tags: texts().default([]),
    /** Unique over all organizations, fixed for life. */
    qr_token: text(),
    deleted_at: instant().nullable(),
    deletion_reason: oneOf(deletionReasons).nullable(),
    state_before_deletion: text<AssetState>().nullable(),
    created_by: text().references("users"),
    created_at: instantNow(),
    updated_at: instantNow(),
    version: integer().default(1),
  },
  {
    uniques: [["organization_id", "id"], ["organization_id", "inventory_number"], ["qr_token"]],
    indexes: {
      counts: ["organization_id", "workspace_id", "state"],
      warranty_expires_on: ["organization_id", "warranty_expires_on"],
      category_id: ["organization_id", "category_id"],
      assigned_to_user_id: ["organization_id", "assigned_to_user_id"],
      parent_asset_id: ["organization_id", "parent_asset_id"],
      updated_at: ["organization_id", "updated_at", "id"],
      created_at: ["organization_id", "created_at", "id"],
      serial_number: ["organization_id", "serial_number"],
    },
    sqlIndexes: ["name", "workspace_id_name", "search", "trigram"],
    checks: [
      "name",
      "inventory_number",
      "description",
      "purchase_cost",
      "warranty",
      "tags",
      "deleted",
    ],
    searchable: true,
  },
);
export type Asset = Row<typeof Asset>;

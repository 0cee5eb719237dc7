import { EntitySchema } from "typeorm";

export type AssetState =
  "available" | "in_use" | "in_maintenance" | "out_of_service" | "stored" | "deleted";

export type Criticality = "low" | "medium" | "high" | "critical";

export type AssetCondition = "excellent" | "good" | "fair" | "poor" | "failed";

export type DeletionReason =
  | "disposed"
  | "sold"
  | "scrapped"
  | "lost"
  | "stolen"
  | "donated"
  | "returned"
  | "duplicate"
  | "entered_in_error"
  | "other";

export interface Asset {
  id: string;
  organizationId: string;
  workspaceId: string | null;
  /** Unique in the organization, deleted assets included. */
  inventoryNumber: string;
  name: string;
  description: string | null;
  categoryId: string | null;
  state: AssetState;
  stateChangedAt: Date;
  criticality: Criticality;
  /** Null: not rated. */
  condition: AssetCondition | null;
  manufacturer: string | null;
  model: string | null;
  serialNumber: string | null;
  location: string | null;
  parentAssetId: string | null;
  assignedToUserId: string | null;
  supplier: string | null;
  purchaseDate: string | null;
  /** In units of the currency, with four decimals. */
  purchaseCost: string | null;
  currency: string | null;
  warrantyExpiresOn: string | null;
  inServiceDate: string | null;
  endOfLifeOn: string | null;
  lastSeenAt: Date | null;
  lastSeenBy: string | null;
  tags: string[];
  /** Unique over all organizations, fixed for life. */
  qrToken: string;
  deletedAt: Date | null;
  deletionReason: DeletionReason | null;
  stateBeforeDeletion: AssetState | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** Kept by a trigger; never selected. */
  search?: string;
}

export const AssetEntity = new EntitySchema<Asset>({
  name: "Asset",
  tableName: "assets",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "assets_pkey" },
    organizationId: { name: "organization_id", type: "text" },
    workspaceId: { name: "workspace_id", type: "text", nullable: true },
    inventoryNumber: { name: "inventory_number", type: "text" },
    name: { type: "text" },
    description: { type: "text", nullable: true },
    categoryId: { name: "category_id", type: "text", nullable: true },
    state: { type: "text", default: "available" },
    stateChangedAt: { name: "state_changed_at", type: "timestamptz", default: () => "now()" },
    criticality: { type: "text", default: "medium" },
    condition: { type: "text", nullable: true },
    manufacturer: { type: "text", nullable: true },
    model: { type: "text", nullable: true },
    serialNumber: { name: "serial_number", type: "text", nullable: true },
    location: { type: "text", nullable: true },
    parentAssetId: { name: "parent_asset_id", type: "text", nullable: true },
    assignedToUserId: { name: "assigned_to_user_id", type: "text", nullable: true },
    supplier: { type: "text", nullable: true },
    purchaseDate: { name: "purchase_date", type: "date", nullable: true },
    purchaseCost: {
      name: "purchase_cost",
      type: "numeric",
      precision: 16,
      scale: 4,
      nullable: true,
    },
    currency: { type: "char", length: 3, nullable: true },
    warrantyExpiresOn: { name: "warranty_expires_on", type: "date", nullable: true },
    inServiceDate: { name: "in_service_date", type: "date", nullable: true },
    endOfLifeOn: { name: "end_of_life_on", type: "date", nullable: true },
    lastSeenAt: { name: "last_seen_at", type: "timestamptz", nullable: true },
    lastSeenBy: { name: "last_seen_by", type: "text", nullable: true },
    tags: { type: "text", array: true, default: [] },
    qrToken: { name: "qr_token", type: "text" },
    deletedAt: { name: "deleted_at", type: "timestamptz", nullable: true },
    deletionReason: { name: "deletion_reason", type: "text", nullable: true },
    stateBeforeDeletion: { name: "state_before_deletion", type: "text", nullable: true },
    createdBy: { name: "created_by", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    updatedAt: { name: "updated_at", type: "timestamptz", default: () => "now()" },
    version: { type: "integer", default: 1 },
    search: { type: "tsvector", default: "", select: false, insert: false, update: false },
  },
  foreignKeys: [
    {
      name: "assets_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "assets_workspace_id_fkey",
      target: "Workspace",
      columnNames: ["organizationId", "workspaceId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
    {
      name: "assets_category_id_fkey",
      target: "AssetCategory",
      columnNames: ["organizationId", "categoryId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
    // TypeORM has no word for SET NULL (parent_asset_id); the migration has it.
    {
      name: "assets_parent_asset_id_fkey",
      target: "Asset",
      columnNames: ["organizationId", "parentAssetId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "SET NULL",
    },
    {
      name: "assets_assigned_to_user_id_fkey",
      target: "OrganizationMember",
      columnNames: ["organizationId", "assignedToUserId"],
      referencedColumnNames: ["organizationId", "userId"],
    },
    {
      name: "assets_last_seen_by_fkey",
      target: "User",
      columnNames: ["lastSeenBy"],
      referencedColumnNames: ["id"],
    },
    {
      name: "assets_created_by_fkey",
      target: "User",
      columnNames: ["createdBy"],
      referencedColumnNames: ["id"],
    },
  ],
  uniques: [
    { name: "assets_organization_id_id_key", columns: ["organizationId", "id"] },
    {
      name: "assets_organization_id_inventory_number_key",
      columns: ["organizationId", "inventoryNumber"],
    },
    { name: "assets_qr_token_key", columns: ["qrToken"] },
  ],
  indices: [
    // lower(name): only the migration can say it.
    {
      name: "assets_name_idx",
      columns: ["organizationId", "name", "id"],
      where: "state <> 'deleted'",
      synchronize: false,
    },
    {
      name: "assets_counts_idx",
      columns: ["organizationId", "workspaceId", "state"],
      where: "state <> 'deleted'",
    },
    {
      name: "assets_warranty_expires_on_idx",
      columns: ["organizationId", "warrantyExpiresOn"],
      where: "state <> 'deleted'",
    },
    // lower(name): only the migration can say it.
    {
      name: "assets_workspace_id_name_idx",
      columns: ["organizationId", "workspaceId", "name", "id"],
      synchronize: false,
    },
    { name: "assets_category_id_idx", columns: ["organizationId", "categoryId"] },
    { name: "assets_assigned_to_user_id_idx", columns: ["organizationId", "assignedToUserId"] },
    {
      name: "assets_parent_asset_id_idx",
      columns: ["organizationId", "parentAssetId"],
      where: "parent_asset_id IS NOT NULL",
    },
    { name: "assets_updated_at_idx", columns: ["organizationId", "updatedAt", "id"] },
    { name: "assets_created_at_idx", columns: ["organizationId", "createdAt", "id"] },
    {
      name: "assets_serial_number_idx",
      columns: ["organizationId", "serialNumber"],
      where: "serial_number IS NOT NULL",
    },
    // gin: only the migration can say it.
    { name: "assets_search_idx", columns: ["search"], synchronize: false },
    // gin: only the migration can say it.
    {
      name: "assets_trigram_idx",
      columns: ["name", "inventoryNumber", "serialNumber"],
      synchronize: false,
    },
  ],
  checks: [
    { name: "assets_name_check", expression: "char_length(name) BETWEEN 1 AND 200" },
    {
      name: "assets_inventory_number_check",
      expression: "char_length(inventory_number) BETWEEN 1 AND 64",
    },
    { name: "assets_description_check", expression: "char_length(description) <= 5000" },
    {
      name: "assets_state_check",
      expression:
        "state IN ('available', 'in_use', 'in_maintenance', 'out_of_service', 'stored', 'deleted')",
    },
    {
      name: "assets_criticality_check",
      expression: "criticality IN ('low', 'medium', 'high', 'critical')",
    },
    {
      name: "assets_condition_check",
      expression: "condition IN ('excellent', 'good', 'fair', 'poor', 'failed')",
    },
    { name: "assets_purchase_cost_check", expression: "purchase_cost >= 0" },
    { name: "assets_warranty_check", expression: "warranty_expires_on >= purchase_date" },
    { name: "assets_tags_check", expression: "cardinality(tags) <= 20" },
    {
      name: "assets_deleted_check",
      expression:
        "(state = 'deleted') = (deleted_at IS NOT NULL) AND (state = 'deleted') = (state_before_deletion IS NOT NULL) AND (state = 'deleted' OR deletion_reason IS NULL)",
    },
    {
      name: "assets_deletion_reason_check",
      expression:
        "deletion_reason IN ('disposed', 'sold', 'scrapped', 'lost', 'stolen', 'donated', 'returned', 'duplicate', 'entered_in_error', 'other')",
    },
  ],
});

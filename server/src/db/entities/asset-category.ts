import { EntitySchema } from "typeorm";

export interface AssetCategory {
  id: string;
  organizationId: string;
  name: string;
  parentId: string | null;
  defaultUsefulLifeMonths: number | null;
  defaultCriticality: "low" | "medium" | "high" | "critical" | null;
  externalCode: string | null;
  createdAt: Date;
}

export const AssetCategoryEntity = new EntitySchema<AssetCategory>({
  name: "AssetCategory",
  tableName: "asset_categories",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "asset_categories_pkey" },
    organizationId: { name: "organization_id", type: "text" },
    name: { type: "citext" },
    parentId: { name: "parent_id", type: "text", nullable: true },
    defaultUsefulLifeMonths: {
      name: "default_useful_life_months",
      type: "integer",
      nullable: true,
    },
    defaultCriticality: { name: "default_criticality", type: "text", nullable: true },
    externalCode: { name: "external_code", type: "text", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "asset_categories_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    // TypeORM has no word for SET NULL (parent_id); the migration has it.
    {
      name: "asset_categories_parent_id_fkey",
      target: "AssetCategory",
      columnNames: ["organizationId", "parentId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "SET NULL",
    },
  ],
  uniques: [
    { name: "asset_categories_organization_id_id_key", columns: ["organizationId", "id"] },
    { name: "asset_categories_organization_id_name_key", columns: ["organizationId", "name"] },
  ],
  checks: [
    {
      name: "asset_categories_name_check",
      expression: "char_length(name::text) BETWEEN 1 AND 100",
    },
    {
      name: "asset_categories_default_criticality_check",
      expression: "default_criticality IN ('low', 'medium', 'high', 'critical')",
    },
  ],
});

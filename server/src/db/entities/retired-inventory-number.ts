import { EntitySchema } from "typeorm";

export interface RetiredInventoryNumber {
  organizationId: string;
  inventoryNumber: string;
  retiredAt: Date;
}

export const RetiredInventoryNumberEntity = new EntitySchema<RetiredInventoryNumber>({
  name: "RetiredInventoryNumber",
  tableName: "retired_inventory_numbers",
  columns: {
    organizationId: {
      name: "organization_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "retired_inventory_numbers_pkey",
    },
    inventoryNumber: {
      name: "inventory_number",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "retired_inventory_numbers_pkey",
    },
    retiredAt: { name: "retired_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "retired_inventory_numbers_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
});

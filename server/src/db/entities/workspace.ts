import { EntitySchema } from "typeorm";

export interface Workspace {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  address: string | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export const WorkspaceEntity = new EntitySchema<Workspace>({
  name: "Workspace",
  tableName: "workspaces",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "workspaces_pkey" },
    organizationId: { name: "organization_id", type: "text" },
    name: { type: "citext" },
    description: { type: "text", nullable: true },
    address: { type: "text", nullable: true },
    createdBy: { name: "created_by", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    updatedAt: { name: "updated_at", type: "timestamptz", default: () => "now()" },
    version: { type: "integer", default: 1 },
  },
  foreignKeys: [
    {
      name: "workspaces_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "workspaces_created_by_fkey",
      target: "User",
      columnNames: ["createdBy"],
      referencedColumnNames: ["id"],
    },
  ],
  uniques: [
    { name: "workspaces_organization_id_id_key", columns: ["organizationId", "id"] },
    { name: "workspaces_organization_id_name_key", columns: ["organizationId", "name"] },
  ],
  checks: [
    { name: "workspaces_name_check", expression: "char_length(name::text) BETWEEN 1 AND 100" },
    { name: "workspaces_description_check", expression: "char_length(description) <= 2000" },
    { name: "workspaces_address_check", expression: "char_length(address) <= 500" },
  ],
});

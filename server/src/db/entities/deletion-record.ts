import { EntitySchema } from "typeorm";

/** What is left of a permanently deleted asset; no tool or resource returns it. */
export interface DeletionRecord {
  id: string;
  organizationId: string;
  workspaceId: string | null;
  workspaceName: string | null;
  assetId: string;
  inventoryNumber: string;
  assetName: string;
  actorUserId: string | null;
  actorName: string;
  clientName: string | null;
  tasksRemoved: number;
  eventsRemoved: number;
  deletedAt: Date;
}

export const DeletionRecordEntity = new EntitySchema<DeletionRecord>({
  name: "DeletionRecord",
  tableName: "deletion_records",
  columns: {
    id: {
      type: "bigint",
      primary: true,
      primaryKeyConstraintName: "deletion_records_pkey",
      generated: "increment",
    },
    organizationId: { name: "organization_id", type: "text" },
    workspaceId: { name: "workspace_id", type: "text", nullable: true },
    workspaceName: { name: "workspace_name", type: "text", nullable: true },
    assetId: { name: "asset_id", type: "text" },
    inventoryNumber: { name: "inventory_number", type: "text" },
    assetName: { name: "asset_name", type: "text" },
    actorUserId: { name: "actor_user_id", type: "text", nullable: true },
    actorName: { name: "actor_name", type: "text" },
    clientName: { name: "client_name", type: "text", nullable: true },
    tasksRemoved: { name: "tasks_removed", type: "integer" },
    eventsRemoved: { name: "events_removed", type: "integer" },
    deletedAt: { name: "deleted_at", type: "timestamptz" },
  },
  foreignKeys: [
    {
      name: "deletion_records_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "deletion_records_actor_user_id_fkey",
      target: "User",
      columnNames: ["actorUserId"],
      referencedColumnNames: ["id"],
      onDelete: "SET NULL",
    },
  ],
  indices: [
    { name: "deletion_records_organization_id_idx", columns: ["organizationId", "deletedAt"] },
  ],
});

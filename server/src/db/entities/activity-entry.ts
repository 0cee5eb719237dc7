import { EntitySchema } from "typeorm";

export interface ActivityEntry {
  id: string;
  organizationId: string | null;
  userId: string | null;
  actorName: string;
  type: string;
  details: Record<string, unknown>;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Date;
}

export const ActivityEntryEntity = new EntitySchema<ActivityEntry>({
  name: "ActivityEntry",
  tableName: "activity_log",
  columns: {
    id: {
      type: "bigint",
      primary: true,
      primaryKeyConstraintName: "activity_log_pkey",
      generated: "increment",
    },
    organizationId: { name: "organization_id", type: "text", nullable: true },
    userId: { name: "user_id", type: "text", nullable: true },
    actorName: { name: "actor_name", type: "text" },
    type: { type: "text" },
    details: { type: "jsonb", default: {} },
    ipAddress: { name: "ip_address", type: "text", nullable: true },
    userAgent: { name: "user_agent", type: "text", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "activity_log_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "activity_log_user_id_fkey",
      target: "User",
      columnNames: ["userId"],
      referencedColumnNames: ["id"],
      onDelete: "SET NULL",
    },
  ],
  indices: [
    // Descending: only the migration can say it.
    {
      name: "activity_log_organization_id_idx",
      columns: ["organizationId", "id"],
      synchronize: false,
    },
    // Descending: only the migration can say it.
    { name: "activity_log_user_id_idx", columns: ["userId", "id"], synchronize: false },
  ],
});

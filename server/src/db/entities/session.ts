import { EntitySchema } from "typeorm";

export interface Session {
  idHash: Buffer;
  userId: string | null;
  data: Record<string, unknown>;
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

export const SessionEntity = new EntitySchema<Session>({
  name: "Session",
  tableName: "sessions",
  columns: {
    idHash: {
      name: "id_hash",
      type: "bytea",
      primary: true,
      primaryKeyConstraintName: "sessions_pkey",
    },
    userId: { name: "user_id", type: "text", nullable: true },
    data: { type: "jsonb", default: {} },
    userAgent: { name: "user_agent", type: "text", nullable: true },
    ipAddress: { name: "ip_address", type: "text", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    lastUsedAt: { name: "last_used_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "sessions_user_id_fkey",
      target: "User",
      columnNames: ["userId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [
    { name: "sessions_user_id_idx", columns: ["userId"] },
    { name: "sessions_last_used_at_idx", columns: ["lastUsedAt"] },
  ],
});

import { EntitySchema } from "typeorm";

export interface IdempotencyRecord {
  organizationId: string;
  userId: string;
  clientId: string;
  tool: string;
  requestKey: string;
  argumentsHash: Buffer;
  result: Record<string, unknown>;
  createdAt: Date;
}

export const IdempotencyRecordEntity = new EntitySchema<IdempotencyRecord>({
  name: "IdempotencyRecord",
  tableName: "idempotency_records",
  columns: {
    organizationId: {
      name: "organization_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "idempotency_records_pkey",
    },
    userId: {
      name: "user_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "idempotency_records_pkey",
    },
    clientId: {
      name: "client_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "idempotency_records_pkey",
    },
    tool: { type: "text", primary: true, primaryKeyConstraintName: "idempotency_records_pkey" },
    requestKey: {
      name: "request_key",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "idempotency_records_pkey",
    },
    argumentsHash: { name: "arguments_hash", type: "bytea" },
    result: { type: "jsonb" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "idempotency_records_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [{ name: "idempotency_records_created_at_idx", columns: ["createdAt"] }],
});

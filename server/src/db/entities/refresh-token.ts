import { EntitySchema } from "typeorm";

export interface RefreshToken {
  tokenHash: Buffer;
  connectionId: string;
  createdAt: Date;
  /** Null: the live token, one for each connection. */
  rotatedAt: Date | null;
  successorSealed: Buffer | null;
  /** Who names this `rotation_id` gets the successor again; null once the successor was used. */
  rotationIdHash: Buffer | null;
}

export const RefreshTokenEntity = new EntitySchema<RefreshToken>({
  name: "RefreshToken",
  tableName: "oauth_refresh_tokens",
  columns: {
    tokenHash: {
      name: "token_hash",
      type: "bytea",
      primary: true,
      primaryKeyConstraintName: "oauth_refresh_tokens_pkey",
    },
    connectionId: { name: "connection_id", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "clock_timestamp()" },
    rotatedAt: { name: "rotated_at", type: "timestamptz", nullable: true },
    successorSealed: { name: "successor_sealed", type: "bytea", nullable: true },
    rotationIdHash: { name: "rotation_id_hash", type: "bytea", nullable: true },
  },
  foreignKeys: [
    {
      name: "oauth_refresh_tokens_connection_id_fkey",
      target: "Connection",
      columnNames: ["connectionId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [
    {
      name: "oauth_refresh_tokens_live_idx",
      columns: ["connectionId"],
      unique: true,
      where: "rotated_at IS NULL",
    },
    { name: "oauth_refresh_tokens_connection_id_idx", columns: ["connectionId"] },
    {
      name: "oauth_refresh_tokens_rotated_at_idx",
      columns: ["rotatedAt"],
      where: "rotated_at IS NOT NULL",
    },
  ],
  checks: [
    {
      name: "oauth_refresh_tokens_successor_check",
      expression: "successor_sealed IS NULL OR rotated_at IS NOT NULL",
    },
    {
      name: "oauth_refresh_tokens_rotation_id_check",
      expression: "rotation_id_hash IS NULL OR successor_sealed IS NOT NULL",
    },
  ],
});

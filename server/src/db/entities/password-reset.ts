import { EntitySchema } from "typeorm";

export interface PasswordReset {
  tokenHash: Buffer;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  /** Used, or replaced by a newer link. */
  endedAt: Date | null;
}

export const PasswordResetEntity = new EntitySchema<PasswordReset>({
  name: "PasswordReset",
  tableName: "password_resets",
  columns: {
    tokenHash: {
      name: "token_hash",
      type: "bytea",
      primary: true,
      primaryKeyConstraintName: "password_resets_pkey",
    },
    userId: { name: "user_id", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    expiresAt: { name: "expires_at", type: "timestamptz" },
    endedAt: { name: "ended_at", type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "password_resets_user_id_fkey",
      target: "User",
      columnNames: ["userId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [
    { name: "password_resets_user_id_idx", columns: ["userId"] },
    { name: "password_resets_expires_at_idx", columns: ["expiresAt"] },
  ],
});

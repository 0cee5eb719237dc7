import { EntitySchema } from "typeorm";

export interface AccessToken {
  tokenHash: Buffer;
  connectionId: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** The refresh token whose use issued this one and may be repeated until this one is used. */
  endsRepeatOf: Buffer | null;
}

export const AccessTokenEntity = new EntitySchema<AccessToken>({
  name: "AccessToken",
  tableName: "oauth_access_tokens",
  columns: {
    tokenHash: {
      name: "token_hash",
      type: "bytea",
      primary: true,
      primaryKeyConstraintName: "oauth_access_tokens_pkey",
    },
    connectionId: { name: "connection_id", type: "text" },
    scopes: { type: "text", array: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "clock_timestamp()" },
    expiresAt: { name: "expires_at", type: "timestamptz" },
    revokedAt: { name: "revoked_at", type: "timestamptz", nullable: true },
    endsRepeatOf: { name: "ends_repeat_of", type: "bytea", nullable: true },
  },
  foreignKeys: [
    {
      name: "oauth_access_tokens_connection_id_fkey",
      target: "Connection",
      columnNames: ["connectionId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [
    { name: "oauth_access_tokens_connection_id_idx", columns: ["connectionId"] },
    { name: "oauth_access_tokens_expires_at_idx", columns: ["expiresAt"] },
  ],
});

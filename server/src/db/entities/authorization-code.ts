import { EntitySchema } from "typeorm";

export interface AuthorizationCode {
  codeHash: Buffer;
  clientId: string;
  organizationId: string;
  userId: string;
  scopes: string[];
  resource: string;
  redirectUri: string;
  codeChallenge: string;
  connectionId: string | null;
  createdAt: Date;
  expiresAt: Date;
  consumedAt: Date | null;
}

export const AuthorizationCodeEntity = new EntitySchema<AuthorizationCode>({
  name: "AuthorizationCode",
  tableName: "oauth_authorization_codes",
  columns: {
    codeHash: {
      name: "code_hash",
      type: "bytea",
      primary: true,
      primaryKeyConstraintName: "oauth_authorization_codes_pkey",
    },
    clientId: { name: "client_id", type: "text" },
    organizationId: { name: "organization_id", type: "text" },
    userId: { name: "user_id", type: "text" },
    scopes: { type: "text", array: true },
    resource: { type: "text" },
    redirectUri: { name: "redirect_uri", type: "text" },
    codeChallenge: { name: "code_challenge", type: "text" },
    connectionId: { name: "connection_id", type: "text", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "clock_timestamp()" },
    expiresAt: { name: "expires_at", type: "timestamptz" },
    consumedAt: { name: "consumed_at", type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "oauth_authorization_codes_client_id_fkey",
      target: "OauthClient",
      columnNames: ["clientId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "oauth_authorization_codes_user_id_fkey",
      target: "OrganizationMember",
      columnNames: ["organizationId", "userId"],
      referencedColumnNames: ["organizationId", "userId"],
      onDelete: "CASCADE",
    },
    {
      name: "oauth_authorization_codes_connection_id_fkey",
      target: "Connection",
      columnNames: ["organizationId", "connectionId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [
    { name: "oauth_authorization_codes_expires_at_idx", columns: ["expiresAt"] },
    { name: "oauth_authorization_codes_client_id_idx", columns: ["clientId"] },
    { name: "oauth_authorization_codes_connection_id_idx", columns: ["connectionId"] },
  ],
  checks: [
    {
      name: "oauth_authorization_codes_challenge_check",
      expression: "code_challenge ~ '^[A-Za-z0-9_-]{43}$'",
    },
  ],
});

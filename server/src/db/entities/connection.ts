import { EntitySchema } from "typeorm";

export type RevokedReason =
  "disconnected" | "revoked_by_client" | "refresh_reuse" | "code_reuse" | "member_removed";

export interface Connection {
  id: string;
  organizationId: string;
  userId: string;
  clientId: string;
  scopes: string[];
  resource: string;
  redirectUri: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  revokedBy: string | null;
  revokedReason: RevokedReason | null;
}

export const ConnectionEntity = new EntitySchema<Connection>({
  name: "Connection",
  tableName: "oauth_connections",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "oauth_connections_pkey" },
    organizationId: { name: "organization_id", type: "text" },
    userId: { name: "user_id", type: "text" },
    clientId: { name: "client_id", type: "text" },
    scopes: { type: "text", array: true },
    resource: { type: "text" },
    redirectUri: { name: "redirect_uri", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    lastUsedAt: { name: "last_used_at", type: "timestamptz", nullable: true },
    revokedAt: { name: "revoked_at", type: "timestamptz", nullable: true },
    revokedBy: { name: "revoked_by", type: "text", nullable: true },
    revokedReason: { name: "revoked_reason", type: "text", nullable: true },
  },
  foreignKeys: [
    {
      name: "oauth_connections_user_id_fkey",
      target: "OrganizationMember",
      columnNames: ["organizationId", "userId"],
      referencedColumnNames: ["organizationId", "userId"],
      onDelete: "CASCADE",
    },
    {
      name: "oauth_connections_client_id_fkey",
      target: "OauthClient",
      columnNames: ["clientId"],
      referencedColumnNames: ["id"],
    },
    {
      name: "oauth_connections_revoked_by_fkey",
      target: "User",
      columnNames: ["revokedBy"],
      referencedColumnNames: ["id"],
      onDelete: "SET NULL",
    },
  ],
  uniques: [
    { name: "oauth_connections_organization_id_id_key", columns: ["organizationId", "id"] },
  ],
  indices: [
    { name: "oauth_connections_user_id_idx", columns: ["userId", "createdAt"] },
    { name: "oauth_connections_organization_id_idx", columns: ["organizationId", "userId"] },
    { name: "oauth_connections_client_id_idx", columns: ["clientId"] },
  ],
  checks: [
    { name: "oauth_connections_scopes_check", expression: "cardinality(scopes) > 0" },
    {
      name: "oauth_connections_revoked_reason_check",
      expression:
        "revoked_reason IN ('disconnected', 'revoked_by_client', 'refresh_reuse', 'code_reuse', 'member_removed')",
    },
    {
      name: "oauth_connections_revoked_check",
      expression: "(revoked_at IS NULL) = (revoked_reason IS NULL)",
    },
  ],
});

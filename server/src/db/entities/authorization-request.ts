import { EntitySchema } from "typeorm";

export interface AuthorizationRequest {
  id: string;
  sessionHash: Buffer;
  userId: string;
  clientId: string;
  redirectUri: string;
  redirectUriGiven: boolean;
  state: string | null;
  codeChallenge: string;
  resource: string;
  requestedScopes: string[];
  createdAt: Date;
  decidedAt: Date | null;
}

export const AuthorizationRequestEntity = new EntitySchema<AuthorizationRequest>({
  name: "AuthorizationRequest",
  tableName: "oauth_authorization_requests",
  columns: {
    id: {
      type: "text",
      primary: true,
      primaryKeyConstraintName: "oauth_authorization_requests_pkey",
    },
    sessionHash: { name: "session_hash", type: "bytea" },
    userId: { name: "user_id", type: "text" },
    clientId: { name: "client_id", type: "text" },
    redirectUri: { name: "redirect_uri", type: "text" },
    redirectUriGiven: { name: "redirect_uri_given", type: "boolean" },
    state: { type: "text", nullable: true },
    codeChallenge: { name: "code_challenge", type: "text" },
    resource: { type: "text" },
    requestedScopes: { name: "requested_scopes", type: "text", array: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    decidedAt: { name: "decided_at", type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "oauth_authorization_requests_user_id_fkey",
      target: "User",
      columnNames: ["userId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "oauth_authorization_requests_client_id_fkey",
      target: "OauthClient",
      columnNames: ["clientId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [
    { name: "oauth_authorization_requests_created_at_idx", columns: ["createdAt"] },
    { name: "oauth_authorization_requests_user_id_idx", columns: ["userId"] },
    { name: "oauth_authorization_requests_client_id_idx", columns: ["clientId"] },
  ],
});

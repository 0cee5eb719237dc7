import { EntitySchema } from "typeorm";

export type TokenEndpointAuthMethod = "none" | "client_secret_basic" | "client_secret_post";

export interface OauthClient {
  id: string;
  secretHash: Buffer | null;
  name: string | null;
  redirectUris: string[];
  grantTypes: string[];
  tokenEndpointAuthMethod: TokenEndpointAuthMethod;
  applicationType: string | null;
  scope: string | null;
  clientUri: string | null;
  logoUri: string | null;
  tosUri: string | null;
  policyUri: string | null;
  contacts: string[] | null;
  softwareId: string | null;
  softwareVersion: string | null;
  builtIn: boolean;
  createdAt: Date;
  firstConsentedAt: Date | null;
}

export const OauthClientEntity = new EntitySchema<OauthClient>({
  name: "OauthClient",
  tableName: "oauth_clients",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "oauth_clients_pkey" },
    secretHash: { name: "secret_hash", type: "bytea", nullable: true },
    name: { type: "text", nullable: true },
    redirectUris: { name: "redirect_uris", type: "text", array: true },
    grantTypes: { name: "grant_types", type: "text", array: true },
    tokenEndpointAuthMethod: { name: "token_endpoint_auth_method", type: "text" },
    applicationType: { name: "application_type", type: "text", nullable: true },
    scope: { type: "text", nullable: true },
    clientUri: { name: "client_uri", type: "text", nullable: true },
    logoUri: { name: "logo_uri", type: "text", nullable: true },
    tosUri: { name: "tos_uri", type: "text", nullable: true },
    policyUri: { name: "policy_uri", type: "text", nullable: true },
    contacts: { type: "text", array: true, nullable: true },
    softwareId: { name: "software_id", type: "text", nullable: true },
    softwareVersion: { name: "software_version", type: "text", nullable: true },
    builtIn: { name: "built_in", type: "boolean", default: false },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    firstConsentedAt: { name: "first_consented_at", type: "timestamptz", nullable: true },
  },
  indices: [
    {
      name: "oauth_clients_unused_idx",
      columns: ["createdAt"],
      where: "first_consented_at IS NULL",
    },
  ],
  checks: [
    {
      name: "oauth_clients_auth_method_check",
      expression:
        "token_endpoint_auth_method IN ('none', 'client_secret_basic', 'client_secret_post')",
    },
    {
      name: "oauth_clients_secret_check",
      expression: "(token_endpoint_auth_method = 'none') = (secret_hash IS NULL)",
    },
  ],
});

import { bytes, flag, instant, instantNow, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

export const tokenEndpointAuthMethods = [
  "client_secret_basic",
  "client_secret_post",
  "none",
] as const;
export type TokenEndpointAuthMethod = (typeof tokenEndpointAuthMethods)[number];

export const OauthClient = table(
  "oauth_clients",
  {
    id: text().primary(),
    secret_hash: bytes().nullable(),
    name: text().nullable(),
    redirect_uris: texts(),
    grant_types: texts(),
    token_endpoint_auth_method: text<TokenEndpointAuthMethod>(),
    application_type: text().nullable(),
    scope: text().nullable(),
    client_uri: text().nullable(),
    logo_uri: text().nullable(),
    tos_uri: text().nullable(),
    policy_uri: text().nullable(),
    contacts: texts().nullable(),
    software_id: text().nullable(),
    software_version: text().nullable(),
    built_in: flag().default(false),
    created_at: instantNow(),
    first_consented_at: instant().nullable(),
    metadata_expires_at: instant().nullable(),
  },
  {
    indexes: { unused: ["created_at"] },
    checks: ["auth_method", "secret"],
  },
);
export type OauthClient = Row<typeof OauthClient>;

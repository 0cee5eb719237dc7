import {
  bytes,
  instant,
  instantNow,
  text,
  texts,
  integer,
  flag,
  oneOf,
  bigint,
  json,
} from "../columns.js";
import { table, type Row } from "../table.js";

export const AccessToken = table(
  "oauth_access_tokens",
  {
    token_hash: bytes().primary(),
    organization_id: text().primary(),
    connection_id: text().references("oauth_connections", "CASCADE"),
    scopes: texts(),
    created_at: instantNow(),
    expires_at: instant(),
    revoked_at: instant().nullable(),
    /**
     * The refresh token whose use issued this one. Its use may be repeated until this one is used.
     */
    ends_repeat_of: bytes().nullable(),
  },
  {
    indexes: { connection_id: ["organization_id", "connection_id"], expires_at: ["expires_at"] },
  },
);
export type AccessToken = Row<typeof AccessToken>;

export const RefreshToken = table(
  "oauth_refresh_tokens",
  {
    token_hash: bytes().primary(),
    organization_id: text().primary(),
    connection_id: text().references("oauth_connections", "CASCADE"),
    created_at: instantNow(),
    /** Null: the live token. Each connection has one. */
    rotated_at: instant().nullable(),
    successor_encrypted: bytes().nullable(),
    /**
     * A request with this `rotation_id` gets the successor again. Null once the successor was used.
     */
    rotation_id_hash: bytes().nullable(),
  },
  {
    indexes: { connection_id: ["organization_id", "connection_id"], rotated_at: ["rotated_at"] },
    uniqueIndexes: { live: ["organization_id", "connection_id"] },
    checks: ["successor", "rotation_id"],
  },
);
export type RefreshToken = Row<typeof RefreshToken>;

export const AuthorizationCode = table(
  "oauth_authorization_codes",
  {
    code_hash: bytes().primary(),
    organization_id: text().primary(),
    client_id: text().references("oauth_clients", "CASCADE"),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    scopes: texts(),
    resource: text(),
    redirect_uri: text(),
    code_challenge: text(),
    /** Lifetime of the connection. Null: until someone ends it. */
    connection_days: integer().nullable(),
    connection_id: text().nullable().references("oauth_connections", "CASCADE"),
    created_at: instantNow(),
    expires_at: instant(),
    consumed_at: instant().nullable(),
  },
  {
    indexes: {
      expires_at: ["expires_at"],
      client_id: ["client_id"],
      connection_id: ["organization_id", "connection_id"],
    },
    checks: ["challenge", "connection_days"],
  },
);
export type AuthorizationCode = Row<typeof AuthorizationCode>;

export const AuthorizationRequest = table(
  "oauth_authorization_requests",
  {
    id: text().primary(),
    session_hash: bytes(),
    user_id: text().references("users", "CASCADE"),
    client_id: text().references("oauth_clients", "CASCADE"),
    redirect_uri: text(),
    redirect_uri_given: flag(),
    state: text().nullable(),
    code_challenge: text(),
    resource: text(),
    requested_scopes: texts(),
    created_at: instantNow(),
    decided_at: instant().nullable(),
  },
  {
    indexes: { created_at: ["created_at"], user_id: ["user_id"], client_id: ["client_id"] },
  },
);
export type AuthorizationRequest = Row<typeof AuthorizationRequest>;

const revokedReasons = [
  "disconnected",
  "revoked_by_client",
  "refresh_reuse",
  "code_reuse",
  "member_removed",
  "too_many",
  "expired",
] as const;
export type RevokedReason = (typeof revokedReasons)[number];

export const Connection = table(
  "oauth_connections",
  {
    organization_id: text().primary(),
    id: text().primary(),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    client_id: text().references("oauth_clients"),
    scopes: texts(),
    resource: text(),
    redirect_uri: text(),
    created_at: instantNow(),
    /** When the connection expires. Null: never. */
    expires_at: instant().nullable(),
    last_used_at: instant().nullable(),
    revoked_at: instant().nullable(),
    revoked_by: text().nullable().references("users", "SET NULL"),
    revoked_reason: oneOf(revokedReasons).nullable(),
  },
  {
    indexes: {
      user_id: ["user_id", "created_at"],
      organization_id: ["organization_id", "user_id"],
      client_id: ["client_id"],
    },
    sqlIndexes: ["expires_at"],
    checks: ["scopes", "revoked"],
  },
);
export type Connection = Row<typeof Connection>;

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

const toolCallOutcomes = ["ok", "error"] as const;

export const ToolCall = table(
  "tool_call_log",
  {
    organization_id: text().primary(),
    id: bigint().primary().generated(),
    user_id: text(),
    client_id: text(),
    tool: text(),
    arguments: json().default({}),
    outcome: oneOf(toolCallOutcomes),
    error_code: text().nullable(),
    /** More than one if equal calls were counted together. The row has the time of the first. */
    calls: integer().default(1),
    /** Total of the counted calls. */
    duration_ms: integer(),
    request_id: text(),
    created_at: instant(),
  },
  {
    indexes: { created_at: ["created_at"], organization_id: ["organization_id", "created_at"] },
  },
);
export type ToolCall = Row<typeof ToolCall>;

/** An app's call that waits for its person's confirmation. */
export const Confirmation = table(
  "confirmations",
  {
    organization_id: text().primary(),
    id: text().primary(),
    connection_id: text().references("oauth_connections", "CASCADE"),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    /** Hash of the tool and its arguments. */
    call_hash: bytes(),
    question: json<object>(),
    /** The text that the person types to confirm. */
    answer: text(),
    expires_at: instant(),
    /** Set on our page. A client with its own form sends the answer with the call. */
    confirmed_at: instant().nullable(),
    /**
     * The response of a client that was asked on its call's stream, until the node that asked reads
     * it.
     */
    response: json<object>().nullable(),
  },
  {
    uniques: [["organization_id", "connection_id", "call_hash"]],
    indexes: { user_id: ["organization_id", "user_id"], expires_at: ["expires_at"] },
  },
);
export type Confirmation = Row<typeof Confirmation>;

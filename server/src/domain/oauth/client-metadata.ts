import {
  tokenEndpointAuthMethods,
  type OauthClient,
  type TokenEndpointAuthMethod,
} from "../../db/entities/oauth.js";
import { AppError } from "../../errors.js";
import { findForbidden } from "../shared/text.js";
import { redirectUriProblem } from "./redirect-uris.js";
import { toScopes } from "./scopes.js";

/** Validated registration metadata. Unknown members are dropped. */
export type ClientMetadata = Omit<
  OauthClient,
  "id" | "secret_hash" | "built_in" | "created_at" | "first_consented_at" | "metadata_expires_at"
>;

/** Anyone may register, so the size of a client is limited. */
const maxRedirectUriBytes = 2048;
const maxBytes = 4096;

/** All clients support both, because every code exchange returns a refresh token. */
const grantTypes = ["authorization_code", "refresh_token"];

/** Validates a registration body (RFC 7591 §2). The error's `field` names the invalid member. */
export function toClientMetadata(
  body: Readonly<Record<string, unknown>>,
  allowedSchemes: readonly string[],
): ClientMetadata {
  const given = toGiven(body);
  checkGrants(given);
  const method = toAuthMethod(given.get("token_endpoint_auth_method"));
  return toMetadata(given, method, allowedSchemes);
}

/**
 * Validates a client ID metadata document (draft-ietf-oauth-client-id-metadata-document §4.1).
 * Unsupported features are accepted, because one document serves all servers.
 */
export function toDocumentMetadata(
  document: Readonly<Record<string, unknown>>,
  clientId: string,
  allowedSchemes: readonly string[],
): ClientMetadata {
  const given = toGiven(document);
  if (given.get("client_id") !== clientId) {
    throw refused("client_id", "must be the address of the document");
  }
  if (!given.has("client_name")) throw refused("client_name", "is missing");
  checkHoldsNoSecret(given);
  checkCanBePublic(given);
  checkIncludes(given, "grant_types", "authorization_code");
  checkIncludes(given, "response_types", "code");
  return toMetadata(given, "none", allowedSchemes);
}

function toGiven(body: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map(Object.entries(body).filter(([, value]) => value !== null && value !== ""));
}

function toMetadata(
  given: ReadonlyMap<string, unknown>,
  method: TokenEndpointAuthMethod,
  allowedSchemes: readonly string[],
): ClientMetadata {
  const metadata: ClientMetadata = {
    redirect_uris: toRedirectUris(given.get("redirect_uris"), allowedSchemes),
    token_endpoint_auth_method: method,
    grant_types: grantTypes,
    scope: toScopes(textOf(given, "scope", 2000)).join(" ") || null,
    name: textOf(given, "client_name", 100),
    application_type: toApplicationType(given.get("application_type")),
    client_uri: webPageOf(given, "client_uri"),
    logo_uri: webPageOf(given, "logo_uri"),
    tos_uri: webPageOf(given, "tos_uri"),
    policy_uri: webPageOf(given, "policy_uri"),
    contacts: toContacts(given.get("contacts")),
    software_id: textOf(given, "software_id", 200),
    software_version: textOf(given, "software_version", 200),
  };
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxBytes) {
    throw refused("metadata", `must not have more than ${maxBytes} bytes together`);
  }
  return metadata;
}

function refused(field: string, problem: string): AppError {
  return new AppError("validation_failed", "wrong_client_metadata", { field, problem });
}

function toRedirectUris(value: unknown, allowedSchemes: readonly string[]): string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw refused("redirect_uris", "must be a list of at least one address");
  }
  if (value.length > 10) throw refused("redirect_uris", "must not have more than 10 addresses");
  const uris = value.map((uri: unknown, index) => {
    if (typeof uri !== "string") throw refused("redirect_uris", `[${index}] must be text`);
    const problem = redirectUriProblem(uri, allowedSchemes);
    if (problem !== undefined) throw refused("redirect_uris", `[${index}] ${problem}`);
    return uri;
  });
  // Checked addresses are ASCII, so length is bytes.
  if (uris.join("").length > maxRedirectUriBytes) {
    throw refused(
      "redirect_uris",
      `must not have more than ${maxRedirectUriBytes} characters together`,
    );
  }
  return [...new Set(uris)];
}

function toAuthMethod(value: unknown): TokenEndpointAuthMethod {
  if (value === undefined) return "client_secret_basic";
  const method = tokenEndpointAuthMethods.find((known) => known === value);
  if (method === undefined) {
    throw refused(
      "token_endpoint_auth_method",
      `must be one of ${tokenEndpointAuthMethods.join(", ")}`,
    );
  }
  return method;
}

/** RFC 7591 §2.1: grant types and response types must match. */
function checkGrants(given: ReadonlyMap<string, unknown>): void {
  const grants = given.get("grant_types") ?? grantTypes;
  const known = (grant: unknown) => typeof grant === "string" && grantTypes.includes(grant);
  if (!Array.isArray(grants) || !grants.every(known) || !grants.includes("authorization_code")) {
    throw refused("grant_types", "must be authorization_code, with or without refresh_token");
  }
  const responses = given.get("response_types") ?? ["code"];
  if (!Array.isArray(responses) || responses.length !== 1 || responses[0] !== "code") {
    throw refused("response_types", "must be exactly one entry, code");
  }
}

/** The document is public. */
function checkHoldsNoSecret(given: ReadonlyMap<string, unknown>): void {
  for (const field of ["client_secret", "client_secret_expires_at"]) {
    if (given.has(field)) throw refused(field, "must not stand in a document");
  }
  const keys = JSON.stringify(given.get("jwks") ?? {});
  // RFC 7518 §6: members of private and symmetric keys.
  if (/"(?:d|p|q|dp|dq|qi|oth|k)":/.test(keys)) throw refused("jwks", "contains a private key");
}

/**
 * Throws unless the client can work without authentication. Clients that prefer another method list
 * "none" too (OpenID Connect RP Metadata Choices), as ChatGPT does.
 */
function checkCanBePublic(given: ReadonlyMap<string, unknown>): void {
  const preferred = given.get("token_endpoint_auth_method") ?? "none";
  const listed = given.get("token_endpoint_auth_methods_supported") ?? [preferred];
  const methods: unknown[] = Array.isArray(listed) ? [preferred, ...(listed as unknown[])] : [];
  if (methods.some((method) => /^client_secret_/.test(String(method)))) {
    throw refused("token_endpoint_auth_method", "must not be one with a secret");
  }
  if (!methods.includes("none")) throw refused("token_endpoint_auth_method", "must be none");
}

function checkIncludes(given: ReadonlyMap<string, unknown>, field: string, needed: string): void {
  const values = given.get(field) ?? [needed];
  if (!Array.isArray(values) || !values.includes(needed)) {
    throw refused(field, `must include ${needed}`);
  }
}

/** Plain text on one line. Rejects markup and all invisible characters, even emoji joiners. */
function textOf(given: ReadonlyMap<string, unknown>, field: string, max: number): string | null {
  const value = given.get(field);
  if (value === undefined) return null;
  if (typeof value !== "string") throw refused(field, "must be text");
  if (value.length > max) throw refused(field, `is longer than ${max} characters`);
  if (/[<>\p{Cf}]/u.test(value) || findForbidden(value) !== undefined) {
    throw refused(field, "contains markup, control characters or invisible characters");
  }
  return value.trim() || null;
}

function webPageOf(given: ReadonlyMap<string, unknown>, field: string): string | null {
  const value = textOf(given, field, 2048);
  if (value === null) return null;
  if (!URL.canParse(value) || new URL(value).protocol !== "https:") {
    throw refused(field, "must be an https address");
  }
  return value;
}

function toApplicationType(value: unknown): string | null {
  return value === "web" || value === "native" ? value : null;
}

function toContacts(value: unknown): string[] | null {
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length > 10) {
    throw refused("contacts", "must be a list of at most 10 texts");
  }
  const contacts = value
    .map((contact: unknown) => textOf(new Map([["contacts", contact]]), "contacts", 254))
    .filter((contact) => contact !== null);
  return contacts.length === 0 ? null : contacts;
}

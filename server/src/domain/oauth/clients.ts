import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Scope } from "fettle-shared";
import type { EntityManager } from "typeorm";
import type { TokenEndpointAuthMethod } from "../../db/entities/oauth-client.js";
import type { ClientMetadata } from "./client-metadata.js";
import { toScopes } from "./scopes.js";
import { createSecret, hashSecret } from "../values/secrets.js";

/** An app that may ask people for access. */
export interface RegisteredClient {
  id: string;
  /** As the app claims; nobody has verified it. */
  name: string | null;
  redirectUris: string[];
  authMethod: TokenEndpointAuthMethod;
  secretHash: Buffer | null;
  scopes: Scope[];
}

interface ClientRow {
  id: string;
  name: string | null;
  redirect_uris: string[];
  token_endpoint_auth_method: TokenEndpointAuthMethod;
  secret_hash: Buffer | null;
  scope: string | null;
}

export async function findClient(
  db: EntityManager,
  id: string,
): Promise<RegisteredClient | undefined> {
  const rows: ClientRow[] = await db.query(
    `SELECT id, name, redirect_uris, token_endpoint_auth_method, secret_hash, scope
     FROM oauth_clients WHERE id = $1`,
    [id],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    id: row.id,
    name: row.name,
    redirectUris: row.redirect_uris,
    authMethod: row.token_endpoint_auth_method,
    secretHash: row.secret_hash,
    scopes: toScopes(row.scope),
  };
}

export interface NewClient {
  id: string;
  /** Shown once; only its hash is stored. */
  secret: string | undefined;
  createdAt: Date;
}

/** Stores checked metadata (RFC 7591 §3.2.1). Registering is nobody's consent to anything. */
export async function registerClient(
  db: EntityManager,
  metadata: ClientMetadata,
): Promise<NewClient> {
  const id = `mcp_client_${randomBytes(16).toString("base64url")}`;
  const secret = metadata.authMethod === "none" ? undefined : createSecret("mcp_cs_");
  const rows: { created_at: Date }[] = await db.query(
    `INSERT INTO oauth_clients
       (id, secret_hash, name, redirect_uris, grant_types, token_endpoint_auth_method,
        application_type, scope, client_uri, logo_uri, tos_uri, policy_uri, contacts,
        software_id, software_version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     RETURNING created_at`,
    [
      id,
      secret === undefined ? undefined : hashSecret(secret),
      metadata.name,
      metadata.redirectUris,
      metadata.grantTypes,
      metadata.authMethod,
      metadata.applicationType,
      metadata.scopes.length === 0 ? undefined : metadata.scopes.join(" "),
      metadata.clientUri,
      metadata.logoUri,
      metadata.tosUri,
      metadata.policyUri,
      metadata.contacts,
      metadata.softwareId,
      metadata.softwareVersion,
    ].map((value) => value ?? null),
  );
  return { id, secret, createdAt: rows[0]?.created_at ?? new Date() };
}

/** Keeps the client for good: apps cannot recover from one that is gone. */
export async function markConsented(tx: EntityManager, clientId: string): Promise<void> {
  await tx.query(
    `UPDATE oauth_clients SET first_consented_at = fettle_now()
     WHERE id = $1 AND first_consented_at IS NULL`,
    [clientId],
  );
}

/** In constant time for secrets of any length. */
export function isSecretOf(client: RegisteredClient, secret: string): boolean {
  const expected = client.secretHash;
  return expected !== null && timingSafeEqual(hashSecret(secret), expected);
}

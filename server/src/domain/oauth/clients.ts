import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Scope } from "fettle-shared";
import { IsNull, Raw, type Tx, type FindOptionsWhere } from "../../db/database.js";
import { OauthClient } from "../../db/entities/oauth.js";
import type { ClientMetadata } from "./client-metadata.js";
import { toScopes } from "./scopes.js";
import { createSecret, hashSecret } from "../shared/secrets.js";

const select = {
  id: true,
  secret_hash: true,
  name: true,
  redirect_uris: true,
  grant_types: true,
  token_endpoint_auth_method: true,
  scope: true,
} as const;

export type RegisteredClient = Pick<OauthClient, keyof typeof select> & { scopes: Scope[] };

export async function findClient(db: Tx, id: string): Promise<RegisteredClient | undefined> {
  return findOne(db, { id });
}

export const maxDocumentSeconds = 86_400;

/**
 * Returns the client while its cached metadata document is fresh. Ignores expiry times too far
 * ahead, which result from a clock that was set back.
 */
export async function findDescribedClient(
  db: Tx,
  id: string,
): Promise<RegisteredClient | undefined> {
  const metadata_expires_at = Raw(
    (column) =>
      `${column} > app_now() AND ${column} <= app_now() + make_interval(secs => ${maxDocumentSeconds})`,
  );
  return findOne(db, { id, metadata_expires_at });
}

async function findOne(
  db: Tx,
  where: FindOptionsWhere<OauthClient>,
): Promise<RegisteredClient | undefined> {
  const client = await db.findOne(OauthClient, { select, where });
  return client === undefined ? undefined : { ...client, scopes: toScopes(client.scope) };
}

export async function storeDescribedClient(
  db: Tx,
  id: string,
  metadata: ClientMetadata,
  seconds: number,
): Promise<RegisteredClient> {
  const metadata_expires_at = () => `app_now() + make_interval(secs => ${seconds})`;
  await db.upsert(OauthClient, { id, ...metadata, metadata_expires_at }, ["id"]);
  return { id, secret_hash: null, ...metadata, scopes: toScopes(metadata.scope) };
}

export interface NewClient {
  id: string;
  /** Returned once. Only its hash is stored. */
  secret: string | undefined;
  createdAt: Date;
}

/** Stores validated metadata (RFC 7591 §3.2.1). Registration grants no access. */
export async function registerClient(db: Tx, metadata: ClientMetadata): Promise<NewClient> {
  const id = `mcp_client_${randomBytes(16).toString("base64url")}`;
  const secret =
    metadata.token_endpoint_auth_method === "none" ? undefined : createSecret("mcp_cs_");
  const client = { ...metadata, id, secret_hash: secret === undefined ? null : hashSecret(secret) };
  const [defaults] = await db.insert(OauthClient, client);
  return { id, secret, createdAt: defaults?.created_at ?? new Date() };
}

/** Protects the client from cleanup, because apps can't recover from a deleted client. */
export async function markConsented(tx: Tx, clientId: string): Promise<void> {
  await tx.update(
    OauthClient,
    { id: clientId, first_consented_at: IsNull() },
    { first_consented_at: () => "app_now()" },
  );
}

/** Compares in constant time, for secrets of any length. */
export function isSecretOf(client: RegisteredClient, secret: string): boolean {
  const expected = client.secret_hash;
  return expected !== null && timingSafeEqual(hashSecret(secret), expected);
}

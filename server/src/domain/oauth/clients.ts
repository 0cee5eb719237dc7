import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Scope } from "fettle-shared";
import { IsNull, Raw, type Tx, type FindOptionsWhere } from "../../db/database.js";
import { OauthClient } from "../../db/entities/oauth.js";
import type { ClientMetadata } from "./client-metadata.js";
import { toScopes } from "./scopes.js";
import { createSecret, hashSecret } from "../shared/secrets.js";

/** What requests need to know of an app that may ask people for access. */
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

/** How long what a metadata document says holds at most. */
export const maxDocumentSeconds = 86_400;

/** The client of a metadata document that need not be read again yet; a clock that was set back waits for no later one. */
export async function findDescribedClient(
  db: Tx,
  id: string,
): Promise<RegisteredClient | undefined> {
  const metadata_expires_at = Raw(
    (column) =>
      `${column} > fettle_now() AND ${column} <= fettle_now() + make_interval(secs => ${maxDocumentSeconds})`,
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

/** Stores what a metadata document says, or says now, and for how long that holds. */
export async function storeDescribedClient(
  db: Tx,
  id: string,
  metadata: ClientMetadata,
  seconds: number,
): Promise<RegisteredClient> {
  const metadata_expires_at = () => `fettle_now() + make_interval(secs => ${seconds})`;
  await db.upsert(OauthClient, { id, ...metadata, metadata_expires_at }, ["id"]);
  return { id, secret_hash: null, ...metadata, scopes: toScopes(metadata.scope) };
}

export interface NewClient {
  id: string;
  /** Shown once; only its hash is stored. */
  secret: string | undefined;
  createdAt: Date;
}

/** Stores checked metadata (RFC 7591 §3.2.1). Registering is nobody's consent to anything. */
export async function registerClient(db: Tx, metadata: ClientMetadata): Promise<NewClient> {
  const id = `mcp_client_${randomBytes(16).toString("base64url")}`;
  const secret =
    metadata.token_endpoint_auth_method === "none" ? undefined : createSecret("mcp_cs_");
  const client = { ...metadata, id, secret_hash: secret === undefined ? null : hashSecret(secret) };
  const [defaults] = await db.insert(OauthClient, client);
  return { id, secret, createdAt: defaults?.created_at ?? new Date() };
}

/** Keeps the client for good: apps cannot recover from one that is gone. */
export async function markConsented(tx: Tx, clientId: string): Promise<void> {
  await tx.update(
    OauthClient,
    { id: clientId, first_consented_at: IsNull() },
    { first_consented_at: () => "fettle_now()" },
  );
}

/** In constant time for secrets of any length. */
export function isSecretOf(client: RegisteredClient, secret: string): boolean {
  const expected = client.secret_hash;
  return expected !== null && timingSafeEqual(hashSecret(secret), expected);
}

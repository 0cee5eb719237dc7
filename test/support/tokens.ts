import type { Scope } from "fettle-shared";
import type { Database } from "../../server/src/db/database.js";
import { mcpUrl, type Config } from "../../server/src/config.js";
import { createId } from "../../server/src/domain/shared/ids.js";
import { hashSecret } from "../../server/src/domain/shared/secrets.js";
import { createAccessToken } from "../../server/src/domain/oauth/tokens.js";

export interface TokenOptions {
  userId: string;
  organizationId: string;
  scopes: Scope[];
  /** The connection's app. Default: the bridge. */
  clientId?: string;
}

export interface TestToken {
  token: string;
  connectionId: string;
}

/** Creates a live access token with a new connection, without the consent page. */
export async function aToken(
  db: Database,
  config: Config,
  { userId, organizationId, scopes, clientId = "fettle-bridge" }: TokenOptions,
): Promise<TestToken> {
  const connectionId = createId("connection");
  const token = createAccessToken();
  await db.query(
    `INSERT INTO oauth_connections
       (id, organization_id, user_id, client_id, scopes, resource, redirect_uri)
     VALUES ($1, $2, $3, $4, $5, $6, 'http://127.0.0.1/callback')`,
    [connectionId, organizationId, userId, clientId, scopes, mcpUrl(config)],
  );
  await db.query(
    `INSERT INTO oauth_access_tokens (token_hash, organization_id, connection_id, scopes, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '2 hours')`,
    [hashSecret(token), organizationId, connectionId, scopes],
  );
  return { token, connectionId };
}

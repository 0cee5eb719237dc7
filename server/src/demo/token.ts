import { allScopes } from "fettle-shared";
import type { Tx } from "../db/database.js";
import { toClientMetadata } from "../domain/oauth/client-metadata.js";
import { registerClient } from "../domain/oauth/clients.js";
import { openConnection, type ConnectionKey } from "../domain/oauth/connections.js";
import { createAccessToken, storeAccessToken } from "../domain/oauth/tokens.js";

const redirectUri = "http://127.0.0.1/callback";

/**
 * Connects the command line that the demo prints, once. It appears in Connected Apps like any app.
 */
export async function connectDemoCommandLine(
  tx: Tx,
  person: { organizationId: string; userId: string; resource: string },
): Promise<string> {
  const client = await registerClient(
    tx,
    toClientMetadata(
      {
        client_name: "Demo command line",
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
      },
      [],
    ),
  );
  return openConnection(tx, {
    client_id: client.id,
    organization_id: person.organizationId,
    user_id: person.userId,
    scopes: [...allScopes],
    resource: person.resource,
    redirect_uri: redirectUri,
    connection_days: null,
  });
}

/** Issues an access token for that connection, valid for two hours. */
export async function createDemoToken(tx: Tx, connection: ConnectionKey): Promise<string> {
  const accessToken = createAccessToken();
  await storeAccessToken(tx, connection, { accessToken, scopes: [...allScopes] });
  return accessToken;
}

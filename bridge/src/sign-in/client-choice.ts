import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthServerInfo,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { BridgeError } from "../common/errors.js";
import type { Settings } from "../common/settings.js";
import { quote } from "../common/text.js";
import type { ProfileState } from "../profile/state.js";

export interface ChosenClient {
  client: StoredOAuthClientInformation;
  /** By an earlier dynamic registration. */
  registered: boolean;
}

/**
 * As which client to ask: one registered by hand, the one the server has for us, our metadata
 * document, or an earlier registration. Undefined when we have to register now.
 */
export function chooseClient(
  settings: Pick<Settings, "client" | "clientMetadataUrl">,
  { recorded, callbackPort }: { recorded: ProfileState; callbackPort: number },
  { authorizationServerUrl, authorizationServerMetadata: metadata }: OAuthServerInfo,
): ChosenClient | undefined {
  const issuer = metadata?.issuer ?? authorizationServerUrl;
  refuseOtherIssuer(settings, recorded, issuer);
  const known = findKnownClient(settings, metadata);
  if (known !== undefined) return { client: { ...known, issuer }, registered: false };
  const id = findRegistration(recorded, issuer, callbackPort);
  if (id !== undefined) return { client: { client_id: id, issuer }, registered: true };
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw new BridgeError(
      "sign_in_failed",
      "The server does not let programs register themselves. " +
        "Ask its operator for a client id and put it in FETTLE_BRIDGE_CLIENT_ID.",
    );
  }
  return undefined;
}

/** The server names who issues tokens, and could name itself to be sent the secret of another. */
function refuseOtherIssuer(
  { client }: Pick<Settings, "client">,
  { authorization }: ProfileState,
  issuer: string,
): void {
  if (client?.secret === undefined || authorization === undefined) return;
  if (authorization.client.id !== client.id || authorization.issuer === issuer) return;
  throw new BridgeError(
    "sign_in_failed",
    `The server now names ${quote(issuer)} as its sign-in service, and the client secret was given to ` +
      `${quote(authorization.issuer)} before. It was not sent. If the operator confirms the new one, ` +
      "sign in with another --profile.",
  );
}

function findKnownClient(
  { client, clientMetadataUrl }: Pick<Settings, "client" | "clientMetadataUrl">,
  metadata: AuthorizationServerMetadata | undefined,
): StoredOAuthClientInformation | undefined {
  if (client !== undefined) {
    const { id, secret } = client;
    return { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
  }
  const builtIn: unknown = metadata && "bridge_client_id" in metadata && metadata.bridge_client_id;
  if (typeof builtIn === "string" && builtIn !== "") return { client_id: builtIn };
  if (clientMetadataUrl === undefined) return undefined;
  const reads = metadata?.client_id_metadata_document_supported === true;
  return reads ? { client_id: clientMetadataUrl } : undefined;
}

/** What a registration says about us (RFC 7591 §2). */
export function describeClient(
  redirectUri: string,
  metadata: AuthorizationServerMetadata | undefined,
): OAuthClientMetadata {
  const supported = metadata?.token_endpoint_auth_methods_supported ?? ["none"];
  const preferred = ["none", "client_secret_basic", "client_secret_post"];
  return {
    client_name: "fettle-bridge",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: preferred.find((method) => supported.includes(method)) ?? "none",
    application_type: "native",
  };
}

/**
 * An earlier registration, when it is certain to be good still: same issuer, same redirect address
 * (not every server ignores the port), no secret, and nothing went wrong with it last time.
 */
function findRegistration(
  { authorization, lastSignIn, signedOutBecause }: ProfileState,
  issuer: string,
  callbackPort: number,
): string | undefined {
  if (lastSignIn?.outcome !== "done" || signedOutBecause === "client_forgotten") return undefined;
  if (authorization?.issuer !== issuer) return undefined;
  const { client } = authorization;
  const same = client.registered && client.callbackPort === callbackPort;
  return same && client.authMethod === "none" ? client.id : undefined;
}

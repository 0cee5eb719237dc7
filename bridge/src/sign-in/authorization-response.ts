import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthServerInfo,
  OAuthTokens,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { BridgeError } from "../common/errors.js";
import { quote } from "../common/text.js";
import type { Authorization, ProfileState } from "../profile/state.js";
import type { NewSignIn } from "../tokens/stored-sign-in.js";
import { toGranted } from "../tokens/token-endpoint.js";
import type { OauthLibrary } from "./load-oauth-library.js";

export interface AuthorizationRequest {
  /** As recorded before this sign-in. */
  recorded: ProfileState;
  redirectUri: string;
  callbackPort: number;
  /** Scopes a refused call needs, on top of what was granted. */
  additionalScope: string | undefined;
}

/** What one authorization request needs to remember until the browser is back. */
export interface FlowMemory {
  state: string;
  found: OAuthServerInfo;
  client: StoredOAuthClientInformation | undefined;
  registered: boolean;
  url: URL | undefined;
  verifier: string;
  resource: string | undefined;
}

interface Return {
  request: AuthorizationRequest;
  fetchFn: typeof fetch;
  /** What the browser came back with; its `state` was compared already. */
  parameters: URLSearchParams;
}

export async function completeAuthorization(
  client: OauthLibrary,
  memory: FlowMemory,
  { request, fetchFn, parameters }: Return,
): Promise<NewSignIn | "denied"> {
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = memory.found;
  const iss = parameters.get("iss") ?? undefined;
  // Before anything else in the answer counts: it may be another server's (RFC 9207 §2.4), which one
  // without metadata may have sent the browser on to.
  client.validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: issuerOf(memory.found),
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const refusal = parameters.get("error");
  if (refusal === "access_denied") return "denied";
  const code = parameters.get("code");
  if (code === null || memory.client === undefined) {
    throw new BridgeError(
      "sign_in_failed",
      `The authorization server ended the sign-in: ${quote(refusal ?? "no code was given")}.`,
    );
  }
  const tokens = await client.exchangeAuthorization(authorizationServerUrl, {
    ...(metadata && { metadata }),
    clientInformation: memory.client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier: memory.verifier,
    redirectUri: request.redirectUri,
    ...(memory.resource !== undefined && { resource: memory.resource }),
    fetchFn,
  });
  const granted = toGranted({ ...tokens });
  if (granted === undefined) {
    throw new BridgeError("sign_in_failed", "The authorization server gave unusable tokens.");
  }
  return {
    ...granted,
    authorization: toAuthorization(client, { ...memory, client: memory.client }, request, tokens),
    clientSecret: memory.client.client_secret,
  };
}

function toAuthorization(
  { selectClientAuthMethod }: OauthLibrary,
  memory: FlowMemory & { client: OAuthClientInformationMixed },
  { callbackPort }: AuthorizationRequest,
  tokens: OAuthTokens,
): Authorization {
  const { found, resource, client, registered, url } = memory;
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = found;
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  return {
    // Servers of revision 2025-03-26 may have no metadata, but endpoints at fixed paths.
    issuer: metadata?.issuer ?? authorizationServerUrl,
    tokenEndpoint: metadata?.token_endpoint ?? new URL("/token", authorizationServerUrl).href,
    revocationEndpoint: findRevocationEndpoint(metadata),
    resource,
    client: {
      id: client.client_id,
      authMethod: selectClientAuthMethod(client, supported),
      registered,
      ...(registered && { callbackPort }),
    },
    // RFC 6749 §5.1: left out when it is what was asked for.
    scope: tokens.scope ?? url?.searchParams.get("scope") ?? undefined,
  };
}

function issuerOf({
  authorizationServerUrl,
  authorizationServerMetadata: metadata,
}: OAuthServerInfo): string {
  return metadata?.issuer ?? authorizationServerUrl.replace(/\/$/, "");
}

function findRevocationEndpoint(
  metadata: AuthorizationServerMetadata | undefined,
): string | undefined {
  return metadata && "revocation_endpoint" in metadata ? metadata.revocation_endpoint : undefined;
}

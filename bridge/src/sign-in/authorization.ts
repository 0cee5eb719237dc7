import type { OAuthClientProvider, OAuthServerInfo } from "@modelcontextprotocol/client";
import { randomBytes } from "node:crypto";
import { BridgeError } from "../common/errors.js";
import { unsafeUrlReason } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import type { Context } from "../context/context.js";
import { createFetch } from "../http/fetch.js";
import type { NewSignIn } from "../tokens/stored-sign-in.js";
import {
  type AuthorizationRequest,
  completeAuthorization,
  type FlowMemory,
} from "./authorization-response.js";
import { type Challenge, requestChallenge } from "./challenge.js";
import { chooseClient, type ChosenClient, describeClient } from "./client-choice.js";
import { type OauthLibrary, loadOauthLibrary } from "./load-oauth-library.js";
import { toSignInError } from "./sign-in-errors.js";

/** An authorization request that waits for the person's decision. */
export interface PendingAuthorization {
  url: string;
  state: string;
  /** Turns what the browser came back with into tokens. Throws BridgeError. */
  complete: (parameters: URLSearchParams) => Promise<NewSignIn | "denied">;
}

/** Finds the authorization server, settles as which client to ask, and makes the request. */
export async function beginAuthorization(
  context: Context,
  request: AuthorizationRequest,
): Promise<PendingAuthorization> {
  const client = await loadOauthLibrary();
  const explain = (error: unknown) => {
    throw toSignInError(error, client);
  };
  const { complete, ...pending } = await begin(client, context, request).catch(explain);
  return { ...pending, complete: (parameters) => complete(parameters).catch(explain) };
}

async function begin(
  client: OauthLibrary,
  context: Context,
  request: AuthorizationRequest,
): Promise<PendingAuthorization> {
  const { http, settings } = context;
  const fetchFn = createFetch(http, settings);
  const challenge = await requestChallenge(context, client);
  const found = await client.discoverOAuthServerInfo(settings.server, {
    ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    fetchFn,
  });
  if (challenge.open && found.resourceMetadata === undefined) {
    throw new BridgeError("sign_in_failed", "This server needs no sign-in.");
  }
  const chosen = chooseClient(settings, request, found);
  const { provider, memory } = createProvider(request.redirectUri, found, chosen);
  const scope = chooseScope(client, context, request, challenge);
  await client.auth(provider, {
    serverUrl: settings.server,
    ...(scope !== undefined && { scope }),
    fetchFn,
  });
  const url = toBrowsable(memory.url, settings);
  return {
    url: url.href,
    state: memory.state,
    complete: (parameters) => {
      const fetchFn = createFetch(http, settings);
      return completeAuthorization(client, memory, { request, fetchFn, parameters });
    },
  };
}

/** What the client package asks for and tells on the way to the address for the browser. */
export function createProvider(
  redirectUri: string,
  found: OAuthServerInfo,
  chosen: ChosenClient | undefined,
): { provider: OAuthClientProvider; memory: FlowMemory } {
  const memory: FlowMemory = {
    state: randomBytes(32).toString("base64url"),
    found,
    client: chosen?.client,
    registered: chosen?.registered ?? true,
    url: undefined,
    verifier: "",
    resource: undefined,
  };
  const save =
    <Key extends keyof FlowMemory>(key: Key) =>
    (value: FlowMemory[Key]) => {
      memory[key] = value;
    };
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: describeClient(redirectUri, found.authorizationServerMetadata),
    state: () => memory.state,
    discoveryState: () => memory.found,
    saveDiscoveryState: save("found"),
    clientInformation: () => memory.client,
    saveClientInformation: save("client"),
    tokens: () => undefined,
    saveTokens: () => undefined,
    saveResourceUrl: save("resource"),
    saveCodeVerifier: save("verifier"),
    codeVerifier: () => memory.verifier,
    redirectToAuthorization: save("url"),
  };
  return { provider, memory };
}

/** Step-up asks for all that was granted before too, so that nothing is lost (SEP-2350). */
function chooseScope(
  { computeScopeUnion }: OauthLibrary,
  { settings }: Context,
  { recorded, additionalScope }: AuthorizationRequest,
  challenge: Challenge,
): string | undefined {
  if (settings.scope !== undefined) return settings.scope;
  if (additionalScope === undefined) return challenge.scope;
  return computeScopeUnion(recorded.authorization?.scope, challenge.scope, additionalScope);
}

/** The address comes from a server and is handed to the system: web addresses only. */
function toBrowsable(url: URL | undefined, { server }: Settings): URL {
  const reason = url === undefined ? "is missing" : unsafeUrlReason(url, new URL(server));
  if (url !== undefined && reason === undefined) return url;
  throw new BridgeError(
    "sign_in_failed",
    `The server's sign-in address ${reason}, so it was not opened.`,
  );
}

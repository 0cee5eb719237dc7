import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthServerInfo,
  OAuthTokens,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { BridgeError, errorMessage } from "../common/errors.js";
import { unsafeUrlReason } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import { quote } from "../common/text.js";
import type { Context } from "../context/context.js";
import {
  type HttpClient,
  HttpFailure,
  type HttpRequest,
  postMessage,
} from "../http/http-client.js";
import type { Authorization, ProfileState } from "../profile/profile.js";
import type { NewSignIn } from "../tokens/stored-sign-in.js";
import { toGranted } from "../tokens/token-endpoint.js";
import type * as oauthLibrary from "./oauth-library.js";

/** The official client's OAuth parts. Large, so loaded only when a sign-in starts. */
export type OauthLibrary = typeof oauthLibrary;

export function loadOauthLibrary(): Promise<OauthLibrary> {
  return import("./oauth-library.js");
}

const silenceMs = 30_000;
const bodiless = new Set([204, 205, 304]);

/**
 * `fetch` for the client package, over our connections. Sends `--header` only to the MCP server's
 * origin and doesn't follow redirects. All calls share one time-out, because servers can drip data.
 */
export function createFetch(http: HttpClient, settings: Settings): typeof fetch {
  const server = new URL(settings.server);
  const limit = AbortSignal.timeout(settings.timeoutMs);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const strange = unsafeUrlReason(url, server);
    if (strange !== undefined) {
      const message = `The server names ${quote(url.origin)}, which ${strange}. Nothing was sent there.`;
      throw toTypeError(message, new BridgeError("sign_in_failed", message));
    }
    const request = new Request(input, init);
    if (url.origin === server.origin) {
      for (const [name, value] of settings.headers) request.headers.append(name, value);
    }
    const { method, signal } = request;
    try {
      const answer = await http.request(url.href, {
        method: method as HttpRequest["method"],
        headers: Object.fromEntries(request.headers),
        silenceMs,
        signal: AbortSignal.any([limit, signal]),
        ...(request.body !== null && { body: await request.text() }),
      });
      const text = await http.text(answer);
      return new Response(bodiless.has(answer.status) ? null : text, {
        status: answer.status,
        headers: Object.entries(answer.headers).flatMap(([name, value = []]) =>
          [value].flat().map((one): [string, string] => [name, one]),
        ),
      });
    } catch (cause) {
      if (!limit.aborted) throw cause;
      const reason = `${url.host} did not answer within ${settings.timeoutMs / 1000} s`;
      throw toTypeError(reason, unreachable(reason, cause));
    }
  };
}

/** Like `fetch`, throws a TypeError: the client package treats other failures as "not found". */
function toTypeError(message: string, cause: BridgeError): TypeError {
  return new TypeError(message, { cause });
}

function unreachable(reason: string, cause: unknown): BridgeError {
  const message = `Signing in is not possible now: ${reason}. Try again later.`;
  return new BridgeError("server_unreachable", message, { cause });
}

function toSignInError(error: unknown, client: OauthLibrary): BridgeError {
  if (error instanceof BridgeError) return error;
  if (error instanceof TypeError && error.cause instanceof BridgeError) return error.cause;
  if (error instanceof HttpFailure) return unreachable(error.message, error);
  return new BridgeError("sign_in_failed", describe(error, client), { cause: error });
}

function describe(error: unknown, client: OauthLibrary): string {
  const { AuthorizationServerMismatchError, IssuerMismatchError } = client;
  if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError) {
    return "The sign-in was stopped: the answer came from another authorization server than the one that was asked.";
  }
  if (error instanceof client.RegistrationRejectedError) {
    return (
      `The server refused to register this program (HTTP ${error.status}). ` +
      "Ask its operator for a client id and put it in FETTLE_BRIDGE_CLIENT_ID."
    );
  }
  if (error instanceof client.OAuthError) {
    return (
      `The authorization server refused the sign-in: ${quote(error.code)}. ` +
      "Try again; if it happens again, ask who runs the server."
    );
  }
  const reason = errorMessage(error);
  return `The sign-in did not work: ${quote(reason)}.`;
}

export interface Challenge extends ChallengeParameters {
  /** The server responded without requiring a sign-in. */
  open: boolean;
}

const maxSilenceMs = 30_000;

type ChallengeParameters = ReturnType<OauthLibrary["extractWWWAuthenticateParams"]>;

/** Sends a harmless request without a token (RFC 9728 §5.1). */
async function requestChallenge(context: Context, client: OauthLibrary): Promise<Challenge> {
  const silenceMs = Math.min(maxSilenceMs, context.settings.timeoutMs);
  const answer = await postMessage(context, { method: "ping" }, { silenceMs });
  answer.body.destroy();
  return { ...readChallenge(client, answer.headers), open: answer.status < 300 };
}

export function readChallenge(
  { extractWWWAuthenticateParams }: OauthLibrary,
  headers: IncomingHttpHeaders,
): ChallengeParameters {
  const challenge = { "www-authenticate": headers["www-authenticate"] ?? "" };
  return extractWWWAuthenticateParams(new Response(null, { headers: challenge }));
}

interface ChosenClient {
  client: StoredOAuthClientInformation;
  registered: boolean;
}

/**
 * Returns a manual registration, the server's own client for us, our metadata document or an
 * earlier registration, or undefined.
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

/**
 * The server names the token issuer. It could name itself to receive another issuer's client
 * secret.
 */
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

/** Our client metadata for registration (RFC 7591 §2). */
function describeClient(
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
 * Reuses only a surely valid one: equal issuer and redirect address (ports may count), no secret,
 * no failure since.
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

interface AuthorizationRequest {
  recorded: ProfileState;
  redirectUri: string;
  callbackPort: number;
  /** Scopes that a refused call needs, in addition to the granted ones. */
  additionalScope: string | undefined;
}

interface FlowMemory {
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
  /** The parameters of the redirect. Their `state` is already verified. */
  parameters: URLSearchParams;
}

export async function completeAuthorization(
  client: OauthLibrary,
  memory: FlowMemory,
  { request, fetchFn, parameters }: Return,
): Promise<NewSignIn | "denied"> {
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = memory.found;
  const iss = parameters.get("iss") ?? undefined;
  // Check the issuer first: the response may be from another server (RFC 9207 §2.4). A server
  // without metadata may have redirected the browser there.
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
    authorization: toAuthorization(client, memory, memory.client, request, tokens),
    clientSecret: memory.client.client_secret,
  };
}

function toAuthorization(
  { selectClientAuthMethod }: OauthLibrary,
  { found, resource, registered, url }: FlowMemory,
  client: OAuthClientInformationMixed,
  { callbackPort }: AuthorizationRequest,
  tokens: OAuthTokens,
): Authorization {
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = found;
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  return {
    // Servers of revision 2025-03-26 may have no metadata but use fixed paths.
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
    // RFC 6749 §5.1: omitted if it equals the requested scope.
    scope: tokens.scope ?? url?.searchParams.get("scope") ?? undefined,
  };
}

function issuerOf({ authorizationServerUrl: url, ...server }: OAuthServerInfo): string {
  return server.authorizationServerMetadata?.issuer ?? url.replace(/\/$/, "");
}

function findRevocationEndpoint(metadata?: AuthorizationServerMetadata): string | undefined {
  return metadata && "revocation_endpoint" in metadata ? metadata.revocation_endpoint : undefined;
}

export interface PendingAuthorization {
  url: string;
  state: string;
  /** Exchanges the redirect's parameters for tokens. Throws BridgeError. */
  complete: (parameters: URLSearchParams) => Promise<NewSignIn | "denied">;
}

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

/** Step-up also requests all granted scopes, so that none is lost (SEP-2350). */
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

/** The address is from a server and is opened by the system, so only web addresses are allowed. */
function toBrowsable(url: URL | undefined, { server }: Settings): URL {
  const reason = url === undefined ? "is missing" : unsafeUrlReason(url, new URL(server));
  if (url !== undefined && reason === undefined) return url;
  throw new BridgeError(
    "sign_in_failed",
    `The server's sign-in address ${reason}, so it was not opened.`,
  );
}

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type IDToken,
  type ServerMetadata,
} from "openid-client";
import { LruMap } from "toad-cache";
import {
  ProviderFailure,
  type ProviderAccess,
  type ProviderChecks,
  type ProviderClaims,
  type ProviderClient,
  type ProviderFailureReason,
} from "../domain/accounts/provider-client.js";
import { createFetch, findPrivateAddress, type DocumentNetwork } from "../oauth/read-document.js";

/** How long a provider's metadata is cached. Its keys are read for every sign-in. */
const metadataLifeMs = 10 * 60_000;

/** Length as JSON. Typical metadata has a tenth. Longer metadata is read for every sign-in. */
const maxKeptLength = 32 * 1024;

/** OpenID Connect Core §2. */
const maxSubject = 255;

/** Maximum age of a reauthentication. */
const maxAgeSeconds = 5 * 60;

/** OpenID Connect with the authorization code flow, PKCE and nonce. */
export function createProviderClient(
  network: DocumentNetwork,
  toRedirectUri: (access: ProviderAccess) => string,
): ProviderClient {
  const fetch = createFetch(network) as never;
  const known = createMetadataCache();

  async function read(issuer: string): Promise<ServerMetadata> {
    const found = await discovery(new URL(issuer), "-", undefined, undefined, {
      [customFetch]: fetch,
    }).catch((error: unknown) => fail(error, "no_metadata"));
    const metadata = found.serverMetadata();
    requireCapable(metadata);
    known.set(issuer, metadata);
    return metadata;
  }

  async function configure({ issuer, clientId, clientSecret }: ProviderAccess) {
    const metadata = known.get(issuer) ?? (await read(issuer));
    // If methods are listed, no others exist. The default is this one (OpenID Connect Discovery
    // §3).
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic")
      ? ClientSecretBasic(clientSecret)
      : ClientSecretPost(clientSecret);
    const configuration = new Configuration(metadata, clientId, undefined, authenticate);
    configuration[customFetch] = fetch;
    // Verifies the signature in addition to the connection that delivered the token.
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  return {
    check: async (issuer) => {
      await read(issuer);
    },
    begin: async (access, { email, again }) => {
      const configuration = await configure(access);
      const checks = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        again,
      };
      const url = await toUrl(configuration, toRedirectUri(access), checks, email);
      return { url: url.href, checks };
    },
    finish: async (access, answer, { state, nonce, verifier, again }) => {
      const configuration = await configure(access);
      const tokens = await authorizationCodeGrant(
        configuration,
        new URL(`${toRedirectUri(access)}?${answer.toString()}`),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(again && { maxAge: maxAgeSeconds }),
        },
      ).catch((error: unknown) => fail(error));
      return readClaims(configuration, tokens, access.issuer);
    },
    findTexts: (name) => network.resolveTexts(name),
  };
}

/** Stores JSON text, whose memory size is known. */
function createMetadataCache() {
  const texts = new LruMap<string>(200, metadataLifeMs);
  return {
    get: (issuer: string) => {
      const text = texts.get(issuer);
      return text === undefined ? undefined : (JSON.parse(text) as ServerMetadata);
    },
    set: (issuer: string, metadata: ServerMetadata) => {
      const text = JSON.stringify(metadata);
      if (text.length <= maxKeptLength) texts.set(issuer, text);
    },
  };
}

async function toUrl(
  configuration: Configuration,
  redirect_uri: string,
  checks: ProviderChecks,
  email: string,
): Promise<URL> {
  return buildAuthorizationUrl(configuration, {
    redirect_uri,
    scope: "openid email profile",
    code_challenge: await calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: "S256",
    state: checks.state,
    nonce: checks.nonce,
    login_hint: email,
    ...(checks.again && { max_age: "0", prompt: "login" }),
  });
}

type Tokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;

/** Returns the ID token's claims. If the address is missing, asks the provider. */
async function readClaims(
  configuration: Configuration,
  tokens: Tokens,
  issuer: string,
): Promise<ProviderClaims> {
  const claims = tokens.claims();
  // Multi-tenant providers put a different issuer into each token, and nothing checks the tenant.
  if (claims === undefined || claims.iss !== configuration.serverMetadata().issuer) {
    throw new ProviderFailure("wrong_answer");
  }
  // Checks which client the token is for (§3.1.3.7). The library checks this only with several
  // audiences.
  const { client_id } = configuration.clientMetadata();
  if ((claims.azp ?? client_id) !== client_id) throw new ProviderFailure("wrong_answer");
  // A subject that can't be stored unchanged could match another person, or no one.
  if (claims.sub === "" || claims.sub.length > maxSubject || /[\0\p{Cs}]/u.test(claims.sub))
    throw new ProviderFailure("wrong_answer");
  if (claims.email !== undefined) return toClaims(claims, issuer);
  // The ID token may omit the address (OpenID Connect Core §5.4).
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
  if (endpoint === undefined) return toClaims(claims, issuer);
  const { access_token: token } = tokens;
  const info = await fetchUserInfo(configuration, token, claims.sub).catch((error: unknown) =>
    fail(error),
  );
  const { email, email_verified, name } = info;
  return toClaims({ ...claims, email, email_verified, name }, issuer);
}

function requireCapable(metadata: ServerMetadata): void {
  const { response_types_supported: types, code_challenge_methods_supported: pkce } = metadata;
  const methods = metadata.token_endpoint_auth_methods_supported;
  const endpoints = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri];
  const isCapable =
    // The types aren't validated before.
    [types, pkce, methods].every((list) => Array.isArray(list ?? [])) &&
    (types ?? ["code"]).includes("code") &&
    (pkce ?? ["S256"]).includes("S256") &&
    endpoints.every((one) => typeof one === "string" && URL.canParse(one)) &&
    endpoints.every((one) => new URL(one ?? "").protocol === "https:") &&
    !/[{}]/.test(metadata.issuer);
  if (!isCapable) throw new ProviderFailure("incapable");
}

function toClaims(claims: IDToken, issuer: string): ProviderClaims {
  const { sub: subject, email, email_verified: isVerified, name, amr } = claims;
  return {
    issuer,
    subject,
    email: typeof email === "string" ? email : undefined,
    // Some providers send a string.
    emailVerified:
      isVerified === undefined ? undefined : isVerified === true || isVerified === "true",
    name: typeof name === "string" ? name : undefined,
    multiFactor: Array.isArray(amr) && amr.includes("mfa"),
  };
}

const reasons: Record<string, ProviderFailureReason> = {
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: "denied",
  OAUTH_RESPONSE_BODY_ERROR: "wrong_client",
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: "wrong_client",
  OAUTH_RESPONSE_IS_NOT_CONFORM: "no_metadata",
  OAUTH_RESPONSE_IS_NOT_JSON: "no_metadata",
  OAUTH_PARSE_ERROR: "no_metadata",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: "other_issuer",
  OAUTH_TIMEOUT: "too_slow",
};

/** Wraps the error in our wording, with the original as its cause. */
function fail(error: unknown, otherwise: ProviderFailureReason = "wrong_answer"): never {
  if (error instanceof ProviderFailure) throw error;
  for (let within = error; within instanceof Error; within = within.cause) {
    if (within.name === "TimeoutError") throw new ProviderFailure("too_slow", error);
    // From `fetch`: no connection, no valid certificate, or no allowed address.
    if (within.message === "fetch failed")
      throw new ProviderFailure("unreachable", error, findPrivateAddress(error)?.host);
  }
  const { code } = error as { code?: string };
  throw new ProviderFailure(reasons[code ?? ""] ?? otherwise, error);
}

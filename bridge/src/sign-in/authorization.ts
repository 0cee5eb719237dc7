import { BridgeError } from "../common/errors.js";
import { unsafeUrlReason } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import type { Context } from "../context/context.js";
import { createFetch } from "../http/fetch.js";
import type { NewSignIn } from "../tokens/stored-sign-in.js";
import { type AuthorizationRequest, createFlow } from "./authorization-flow.js";
import { completeAuthorization } from "./authorization-response.js";
import { type Challenge, requestChallenge } from "./challenge.js";
import { chooseClient } from "./client-choice.js";
import { type ClientPackage, loadClientPackage } from "./client-package.js";
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
  const client = await loadClientPackage();
  const explain = (error: unknown) => {
    throw toSignInError(error, client);
  };
  const { complete, ...pending } = await begin(client, context, request).catch(explain);
  return { ...pending, complete: (parameters) => complete(parameters).catch(explain) };
}

async function begin(
  client: ClientPackage,
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
  const flow = createFlow(request.redirectUri, found, chosen);
  const scope = chooseScope(client, context, request, challenge);
  await client.auth(flow.provider, {
    serverUrl: settings.server,
    ...(scope !== undefined && { scope }),
    fetchFn,
  });
  const url = toBrowsable(flow.memory.url, settings);
  return {
    url: url.href,
    state: flow.memory.state,
    complete: (parameters) =>
      completeAuthorization(client, flow.memory, { request, fetchFn, parameters }),
  };
}

/** Step-up asks for all that was granted before too, so that nothing is lost (SEP-2350). */
function chooseScope(
  { computeScopeUnion }: ClientPackage,
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

import type { IncomingHttpHeaders } from "node:http";
import { BridgeError, errorMessage } from "../common/errors.js";
import { unsafeUrlReason } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import { quote } from "../common/text.js";
import type { Context } from "../context/context.js";
import { type HttpClient, HttpFailure, type HttpRequest } from "../http/http-client.js";
import { postMessage } from "../http/mcp-request.js";
import type * as oauthLibrary from "./oauth-library.js";

/** The official client's OAuth parts: large, so loaded when a sign-in begins and not before. */
export type OauthLibrary = typeof oauthLibrary;

export function loadOauthLibrary(): Promise<OauthLibrary> {
  return import("./oauth-library.js");
}

const silenceMs = 30_000;
const bodiless = new Set([204, 205, 304]);

/**
 * `fetch` for the client package, over our own connections. The person's extra headers go to the
 * origin of the MCP server only. Redirects are not followed. All that one function is asked for takes
 * no longer than the time-out: a server that drips is never silent, and one can name many addresses.
 */
export function createFetch(http: HttpClient, settings: Settings): typeof fetch {
  const server = new URL(settings.server);
  const limit = AbortSignal.timeout(settings.timeoutMs);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    refuseStrange(url, server);
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
        headers: toHeaders(answer.headers),
      });
    } catch (cause) {
      if (!limit.aborted) throw cause;
      throw tooLate(`${url.host} did not answer within ${settings.timeoutMs / 1000} s`, cause);
    }
  };
}

function tooLate(reason: string, cause: unknown): TypeError {
  const message = `Signing in is not possible now: ${reason}. Try again later.`;
  return new TypeError(reason, {
    cause: new BridgeError("server_unreachable", message, { cause }),
  });
}

/** With a TypeError, as any `fetch`: the client package takes other failures for "not there". */
function refuseStrange(url: URL, server: URL): void {
  const reason = unsafeUrlReason(url, server);
  if (reason === undefined) return;
  const message = `The server names ${quote(url.origin)}, which ${reason}. Nothing was sent there.`;
  throw new TypeError(message, { cause: new BridgeError("sign_in_failed", message) });
}

function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) result.append(name, one);
  }
  return result;
}

/** What went wrong at the authorization server, as something a person can act on. */
export function toSignInError(error: unknown, client: OauthLibrary): BridgeError {
  if (error instanceof BridgeError) return error;
  if (error instanceof TypeError && error.cause instanceof BridgeError) return error.cause;
  if (error instanceof HttpFailure) {
    return new BridgeError(
      "server_unreachable",
      `Signing in is not possible now: ${error.message}. Try again later.`,
      { cause: error },
    );
  }
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

/** What the server says to somebody who is not signed in. */
export interface Challenge extends ChallengeParameters {
  /** It answered without asking who we are. */
  open: boolean;
}

const maxSilenceMs = 30_000;

type ChallengeParameters = ReturnType<OauthLibrary["extractWWWAuthenticateParams"]>;

/** Asks the server for something harmless without a token (RFC 9728 §5.1). */
export async function requestChallenge(context: Context, client: OauthLibrary): Promise<Challenge> {
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

import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "../context/context.js";
import { postMessage } from "../http/mcp-request.js";
import type { OauthLibrary } from "./load-oauth-library.js";

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

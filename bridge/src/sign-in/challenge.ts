import type { Context } from "../context/context.js";
import type { ClientPackage } from "./client-package.js";

/** What the server says to somebody who is not signed in. */
export interface Challenge {
  /** It answered without asking who we are. */
  open: boolean;
  resourceMetadataUrl: URL | undefined;
  scope: string | undefined;
}

const silenceMs = 30_000;

/** Asks the server for something harmless without a token (RFC 9728 §5.1). */
export async function requestChallenge(
  { http, settings }: Context,
  { extractWWWAuthenticateParams }: ClientPackage,
): Promise<Challenge> {
  const answer = await http.request(settings.server, {
    method: "POST",
    headers: {
      ...Object.fromEntries(settings.headers),
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    silenceMs,
  });
  answer.body.destroy();
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(
    new Response(null, {
      headers: { "www-authenticate": answer.headers["www-authenticate"] ?? "" },
    }),
  );
  return { open: answer.status < 300, resourceMetadataUrl, scope };
}

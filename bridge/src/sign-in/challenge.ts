import type { Context } from "../context/context.js";
import { postMessage } from "../http/mcp-request.js";
import type { ClientPackage } from "./client-package.js";

/** What the server says to somebody who is not signed in. */
export interface Challenge {
  /** It answered without asking who we are. */
  open: boolean;
  resourceMetadataUrl: URL | undefined;
  scope: string | undefined;
}

/** Asks the server for something harmless without a token (RFC 9728 §5.1). */
export async function requestChallenge(
  context: Context,
  { extractWWWAuthenticateParams }: ClientPackage,
): Promise<Challenge> {
  const answer = await postMessage(context, { method: "ping" }, { silenceMs: 30_000 });
  answer.body.destroy();
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(
    new Response(null, {
      headers: { "www-authenticate": answer.headers["www-authenticate"] ?? "" },
    }),
  );
  return { open: answer.status < 300, resourceMetadataUrl, scope };
}

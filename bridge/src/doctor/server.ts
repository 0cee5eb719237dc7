import type { AuthorizationServerMetadata, OAuthServerInfo } from "@modelcontextprotocol/client";
import { errorMessage, exitCodes } from "../common/errors.js";
import { hasAuthorizationHeader } from "../common/settings.js";
import { quote } from "../common/text.js";
import type { Context } from "../context/context.js";
import { createFetch } from "../http/fetch.js";
import { legacySseAdvice, legacySseProblem, speaksLegacySse } from "../http/legacy-sse.js";
import { readChallenge } from "../sign-in/challenge.js";
import { loadOauthLibrary } from "../sign-in/load-oauth-library.js";
import { type Finding, ok, problem, toProblem, warning } from "./finding.js";
import { type InitializeAnswer, sendInitialize } from "./send-initialize.js";

const tolerableSkewMs = 120_000;

/** What the server says to somebody it does not know, and whether that fits together. */
export async function* checkServer(context: Context): AsyncGenerator<Finding> {
  let answer;
  try {
    answer = await sendInitialize(context);
  } catch (error) {
    yield { ...toProblem("MCP address", error), exitCode: exitCodes.unreachable };
    return;
  }
  yield await evaluateAnswer(context, answer);
  yield* checkClock(answer);
  if (answer.status === 401 && !hasAuthorizationHeader(context.settings))
    yield await checkMetadata(context, answer);
}

async function evaluateAnswer(
  context: Context,
  { status, serverInfo }: InitializeAnswer,
): Promise<Finding> {
  const { settings } = context;
  const check = "MCP address";
  if (status === 401 && hasAuthorizationHeader(settings)) {
    const detail = `${settings.server} refuses the Authorization header given with --header`;
    return problem(check, detail, "Check the value of the header.", exitCodes.signInNeeded);
  }
  if (status === 401) return ok(check, `${settings.server} asks for a sign-in, as expected`);
  if (status === 200 && serverInfo !== undefined) {
    return ok(check, `${settings.server} answers without a sign-in`);
  }
  if (await speaksLegacySse(context)) {
    return problem(check, `${settings.server} ${legacySseProblem}`, legacySseAdvice);
  }
  const detail = `${settings.server} answers with status ${status}, not as an MCP server does`;
  if (status >= 500) {
    return problem(check, detail, "Try again later, or ask who runs it.", exitCodes.unreachable);
  }
  return problem(check, detail, "Check the path of the address; at Fettle it ends in /mcp.");
}

function* checkClock({ headers }: InitializeAnswer): Generator<Finding> {
  const skewMs = Date.now() - Date.parse(headers.date ?? "");
  if (Number.isNaN(skewMs)) return;
  if (Math.abs(skewMs) < tolerableSkewMs) {
    yield ok("Clock", "agrees with the server");
    return;
  }
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const detail = `${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the server`;
  yield warning("Clock", detail, "Set the clock: certificates and sign-ins depend on it.");
}

async function checkMetadata(context: Context, { headers }: InitializeAnswer): Promise<Finding> {
  const check = "Sign-in service";
  const client = await loadOauthLibrary();
  const { resourceMetadataUrl } = readChallenge(client, headers);
  try {
    const found = await client.discoverOAuthServerInfo(context.settings.server, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      fetchFn: createFetch(context.http, context.settings),
    });
    return evaluateMetadata(context, found);
  } catch (error) {
    const reason = quote(errorMessage(error));
    return problem(check, `cannot be found: ${reason}`, "Ask who runs the server.");
  }
}

function evaluateMetadata({ settings }: Context, found: OAuthServerInfo): Finding {
  const check = "Sign-in service";
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = found;
  const tellOperator = "Ask who runs the server: its addresses do not fit together.";
  if (authorizationServerMetadata === undefined) {
    const detail = `${quote(authorizationServerUrl)} does not describe itself`;
    return problem(check, detail, tellOperator);
  }
  const { issuer } = authorizationServerMetadata;
  if (!isSameAddress(issuer, authorizationServerUrl)) {
    const detail = `${quote(authorizationServerUrl)} says it is ${quote(issuer)}`;
    return problem(check, detail, tellOperator);
  }
  const resource = resourceMetadata?.resource;
  if (resource !== undefined && !isSameAddress(resource, settings.server)) {
    const detail = `the server says its address is ${quote(resource)}`;
    // A sign-in for a part of the same server is possible, and one for another server is not.
    const isElsewhere = new URL(resource).origin !== new URL(settings.server).origin;
    return (isElsewhere ? problem : warning)(check, detail, "Use exactly that address.");
  }
  if (!hasPkce(authorizationServerMetadata)) {
    return problem(check, `${quote(issuer)} does not support PKCE (S256)`, tellOperator);
  }
  return ok(check, quote(issuer));
}

function isSameAddress(one: string, other: string): boolean {
  return one.replace(/\/$/, "") === other.replace(/\/$/, "");
}

function hasPkce({ code_challenge_methods_supported }: AuthorizationServerMetadata): boolean {
  return code_challenge_methods_supported?.includes("S256") ?? false;
}

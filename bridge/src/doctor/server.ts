import type { OAuthServerInfo } from "@modelcontextprotocol/client";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import https from "node:https";
import { connect } from "node:net";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { errorMessage, exitCodes } from "../common/errors.js";
import { parseJson, toRecord, toText } from "../common/json.js";
import { extraHeaders, hasAuthorizationHeader, type Settings } from "../common/settings.js";
import { quote, toLocalTime } from "../common/text.js";
import type { Context } from "../context/context.js";
import {
  type Agents,
  certificateAdvice,
  createAgents,
  findProxy,
  nameAdvice,
  onProxyRefusal,
  proxyAdvice,
} from "../http/agents.js";
import { type HttpAnswer, postMessage } from "../http/http-client.js";
import { describeSignedOut, profileOption, readState } from "../profile/profile.js";
import { createFetch, loadOauthLibrary, readChallenge } from "../sign-in/authorization.js";
import { probeKeychain } from "../storage/keychain.js";
import { openStore } from "../storage/open-store.js";
import type { AccessToken } from "../tokens/rotation.js";
import { createTokenManager, type TokenManager } from "../tokens/token-manager.js";
import { type Finding, ok, problem, toProblem, unreachable, warning } from "./finding.js";

const waitMs = 10_000;

/** Checks the network step by step. Stops at the first failed step. */
export async function* checkNetwork({ settings }: Context): AsyncGenerator<Finding> {
  const server = new URL(settings.server);
  const proxy = await findProxy(server, settings);
  yield ok("Proxy", proxy === "" ? "none for this address" : `${new URL(proxy).host} is used`);
  const first = new URL(proxy === "" ? server : proxy);
  const steps = [
    () => checkName(first),
    () => checkConnection(first),
    ...(server.protocol === "http:" ? [] : [() => checkCertificate(server, settings)]),
  ];
  for (const step of steps) {
    const finding = await step();
    yield finding;
    if (finding.result === "problem") return;
  }
}

async function checkName({ hostname }: URL): Promise<Finding> {
  const found = await lookup(withoutBrackets(hostname)).catch(() => undefined);
  return found === undefined
    ? unreachable("Name", `${hostname} cannot be resolved`, nameAdvice)
    : ok("Name", `${hostname} is ${found.address}`);
}

async function checkConnection(url: URL): Promise<Finding> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const started = performance.now();
  const socket = connect({ host: withoutBrackets(url.hostname), port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(waitMs) });
    const ms = Math.round(performance.now() - started);
    return ok("Connection", `${url.host} answers after ${ms} ms`);
  } catch (error) {
    const { name, code = "unknown" } = error as NodeJS.ErrnoException;
    const reason = name === "AbortError" ? "does not answer" : `cannot be reached (${code})`;
    const advice = "Check that the server runs, and that no firewall or VPN is in the way.";
    return unreachable("Connection", `${url.host} ${reason}`, advice);
  } finally {
    socket.destroy();
  }
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Reads the certificate before validating it, so that the report can name an untrusted one. */
async function checkCertificate(server: URL, settings: Settings): Promise<Finding> {
  const agents = createAgents(settings);
  try {
    const found = await lookAtCertificate(server, agents);
    if (found.result === "ok" || !(await agents.trustSystem())) return found;
    return await lookAtCertificate(server, agents);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const advice = "Something between here and the server does not speak TLS: often a proxy.";
    return unreachable("Certificate", `no secure connection (${code ?? message})`, advice);
  } finally {
    agents.close();
  }
}

async function lookAtCertificate(server: URL, agents: Agents): Promise<Finding> {
  const { agent, secureContext, proxy } = await agents.of(server);
  return new Promise((resolve, reject) => {
    // Send no secrets: this connection may be to the wrong server.
    const request = https.request(server.origin, {
      agent,
      ...(secureContext && { secureContext }),
      method: "HEAD",
      rejectUnauthorized: false,
      timeout: waitMs,
    });
    onProxyRefusal(request, proxy, (reason) => {
      resolve(unreachable("Proxy", reason, proxyAdvice));
      request.destroy();
    });
    request.once("socket", (socket) => {
      socket.once("secureConnect", () => {
        resolve(describeCertificate(server, socket as TLSSocket));
        request.destroy();
      });
    });
    request.once("timeout", () => {
      request.destroy(new Error("no answer"));
    });
    request.once("error", reject);
    request.once("close", () => {
      reject(new Error("no answer"));
    });
  });
}

function describeCertificate(server: URL, socket: TLSSocket): Finding {
  const certificate = socket.getPeerCertificate(true);
  const issuer = quote(nameIssuer(certificate));
  if (socket.authorized) return ok("Certificate", `trusted, issued by ${issuer}`);
  const code = String(socket.authorizationError);
  const detail = `of ${server.host} is not trusted (${code}); it was issued by ${issuer}`;
  return unreachable("Certificate", detail, certificateAdvice(code) ?? "Ask who runs the server.");
}

function nameIssuer(certificate: DetailedPeerCertificate): string {
  let last = certificate;
  const seen = new Set<unknown>();
  // The last certificate names itself as issuer, or its chain ends.
  while (Object.hasOwn(last, "issuerCertificate") && !seen.has(last)) {
    seen.add(last);
    last = last.issuerCertificate;
  }
  const { O: organization, CN: name } = last.issuer;
  return [name, organization].filter(Boolean).join(", ");
}

interface InitializeAnswer extends Pick<HttpAnswer, "status" | "headers"> {
  serverInfo: { name: string; version: string } | undefined;
}

const silenceMs = 15_000;

async function sendInitialize(context: Context, token?: string): Promise<InitializeAnswer> {
  const { http, settings } = context;
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "fettle-bridge doctor", version: "1" },
  };
  const answer = await postMessage(
    context,
    { method: "initialize", params },
    // A dripping stream never counts as silent.
    { headers, silenceMs, signal: AbortSignal.timeout(silenceMs) },
  );
  const text = await http.text(answer);
  const session = answer.headers["mcp-session-id"];
  if (typeof session === "string") {
    const ended = await http.request(settings.server, {
      method: "DELETE",
      headers: { ...extraHeaders(settings), ...headers, "mcp-session-id": session },
      silenceMs,
    });
    ended.body.destroy();
  }
  return { status: answer.status, headers: answer.headers, serverInfo: findServerInfo(text) };
}

function findServerInfo(text: string): InitializeAnswer["serverInfo"] {
  const json = /^data: ?(.*)$/m.exec(text)?.[1] ?? text;
  const { name, version } = toRecord(toRecord(toRecord(parseJson(json))["result"])["serverInfo"]);
  return typeof name === "string" ? { name, version: toText(version) } : undefined;
}

const tolerableSkewMs = 120_000;

export async function* checkServer(context: Context): AsyncGenerator<Finding> {
  let answer;
  try {
    answer = await sendInitialize(context);
  } catch (error) {
    yield { ...toProblem("MCP address", error), exitCode: exitCodes.unreachable };
    return;
  }
  yield evaluateAnswer(context, answer);
  yield* checkClock(answer);
  if (answer.status === 401 && !hasAuthorizationHeader(context.settings))
    yield await checkMetadata(context, answer);
}

function evaluateAnswer({ settings }: Context, { status, serverInfo }: InitializeAnswer): Finding {
  const check = "MCP address";
  if (status === 401 && hasAuthorizationHeader(settings)) {
    const detail = `${settings.server} refuses the Authorization header given with --header`;
    return problem(check, detail, "Check the value of the header.", exitCodes.signInNeeded);
  }
  if (status === 401) return ok(check, `${settings.server} asks for a sign-in, as expected`);
  if (status === 200 && serverInfo !== undefined) {
    return ok(check, `${settings.server} answers without a sign-in`);
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
    // A sign-in for a part of this server is possible. One for another server is not.
    const isElsewhere = new URL(resource).origin !== new URL(settings.server).origin;
    return (isElsewhere ? problem : warning)(check, detail, "Use exactly that address.");
  }
  if (!authorizationServerMetadata.code_challenge_methods_supported?.includes("S256")) {
    return problem(check, `${quote(issuer)} does not support PKCE (S256)`, tellOperator);
  }
  return ok(check, quote(issuer));
}

function isSameAddress(one: string, other: string): boolean {
  return one.replace(/\/$/, "") === other.replace(/\/$/, "");
}

export async function* checkSession(context: Context): AsyncGenerator<Finding> {
  if (hasAuthorizationHeader(context.settings)) return;
  const manager = createTokenManager(context, { openStore: (state) => openStore(context, state) });
  try {
    const token = await manager.get();
    if (token === undefined) {
      if ((await sendInitialize(context)).status === 401) yield await signInNeeded(context);
      return;
    }
    const { expiresAt } = token;
    const until = expiresAt === Infinity ? "" : `, good until ${toLocalTime(expiresAt)}`;
    yield ok("Token", `there is a token${until}`);
    yield await evaluate(context, await ask(context, manager, token));
  } catch (error) {
    yield toProblem("Sign-in", error);
  }
}

/** Like the proxy, replaces a rejected token once. */
async function ask(
  context: Context,
  manager: TokenManager,
  token: AccessToken,
): Promise<InitializeAnswer> {
  const answer = await sendInitialize(context, token.value);
  if (answer.status !== 401) return answer;
  const next = await manager.replace(token);
  return next === undefined ? answer : sendInitialize(context, next.value);
}

async function evaluate(
  context: Context,
  { status, serverInfo }: InitializeAnswer,
): Promise<Finding> {
  if (status === 401) return signInNeeded(context);
  if (status === 200 && serverInfo !== undefined) {
    const { name, version } = serverInfo;
    return ok("Round trip", `${quote(`${name} ${version}`)} answers with the stored sign-in`);
  }
  const detail = `the server answers with status ${status} to somebody who is signed in`;
  return problem("Round trip", detail, "Try again later, or ask who runs the server.");
}

async function signInNeeded({ profile, settings }: Context): Promise<Finding> {
  const detail = describeSignedOut(await readState(profile));
  const probes = Object.values(await probeKeychain(settings.environment));
  const hasKeychain = probes.some(({ outcome }) => outcome !== "absent" && outcome !== "missing");
  // If nothing can be stored, login refuses unless a file is allowed.
  const inFile = settings.storage === "file" || !hasKeychain;
  const options = `${profileOption(profile.name)}${inFile ? " --storage file" : ""}`;
  const advice = `fettle-bridge login ${settings.server}${options}`;
  return problem("Sign-in", detail, advice, exitCodes.signInNeeded);
}

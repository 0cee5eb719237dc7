import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request with its body parsed as a form or as JSON. */
export interface SeenRequest {
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
  body: string;
  headers: IncomingMessage["headers"];
}

/** The server's behaviour. Tests change it while the server runs. */
export interface AuthorizationRules {
  /** Overrides the authorization server's metadata. Null removes a field. */
  metadata: Record<string, unknown>;
  /** Status of the MCP address without a token. */
  openStatus: number;
  /** True if there is metadata about the protected resource. */
  describesResource: boolean;
  challengeScope: string;
  /** Overrides the metadata address in the challenge. */
  resourceMetadata: string | undefined;
  decision: "allow" | "access_denied" | "server_error" | "nothing";
  /** Overrides `iss` in the redirect. */
  iss: string | undefined;
  /** Error of the token endpoint instead of tokens. */
  tokenError: string | undefined;
  /** False if the token endpoint never answers. */
  answersExchange: boolean;
  /** False if metadata responses never end. */
  endsMetadata: boolean;
  registrationStatus: number;
}

/** An MCP server that requires sign-in, and its authorization server, in this process. */
export interface AuthorizationServer {
  origin: string;
  url: string;
  rules: AuthorizationRules;
  seen: SeenRequest[];
  of: (path: string) => SeenRequest[];
  /** Secrets by client id. Public clients have none. */
  clients: Map<string, string | undefined>;
  stop: () => Promise<void>;
}

interface GivenCode {
  client: string;
  challenge: string;
  redirectUri: string;
  scope: string;
}

type Answer = (request: SeenRequest, response: ServerResponse) => void;

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rules: AuthorizationRules = {
    metadata: {},
    openStatus: 401,
    describesResource: true,
    challengeScope: "mcp_read mcp_write",
    resourceMetadata: undefined,
    decision: "allow",
    iss: origin,
    tokenError: undefined,
    answersExchange: true,
    endsMetadata: true,
    registrationStatus: 201,
  };
  const seen: SeenRequest[] = [];
  const clients = new Map<string, string | undefined>();
  const answers = createAnswers(origin, rules, clients);
  server.on("request", (incoming: IncomingMessage, response: ServerResponse) => {
    void text(incoming).then((body) => {
      const { pathname, searchParams } = new URL(incoming.url ?? "/", origin);
      const form = new URLSearchParams(body);
      const request = {
        path: pathname,
        query: searchParams,
        form,
        body,
        headers: incoming.headers,
      };
      seen.push(request);
      (answers[pathname] ?? notFound)(request, response);
    });
  });
  return {
    origin,
    url: `${origin}/mcp`,
    rules,
    seen,
    of: (path) => seen.filter((request) => request.path === path),
    clients,
    stop: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}

function createAnswers(
  origin: string,
  rules: AuthorizationRules,
  clients: AuthorizationServer["clients"],
): Record<string, Answer> {
  const codes = new Map<string, GivenCode>();
  return {
    "/mcp": (_, response) => {
      const usual = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const metadata = rules.resourceMetadata ?? usual;
      const challenge = `Bearer resource_metadata="${metadata}", scope="${rules.challengeScope}"`;
      json(response, rules.openStatus, {}, { "www-authenticate": challenge });
    },
    "/.well-known/oauth-protected-resource/mcp": (request, response) => {
      if (!rules.describesResource) {
        notFound(request, response);
        return;
      }
      json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    },
    "/.well-known/oauth-authorization-server": (_, response) => {
      if (!rules.endsMetadata) drip(response);
      else json(response, 200, metadataOf(origin, rules));
    },
    "/authorize": ({ query }, response) => {
      const client = query.get("client_id") ?? "";
      if (!clients.has(client)) json(response, 400, { error: "invalid_client" });
      else if (rules.decision === "nothing") json(response, 200, {});
      else redirectBack(query, { rules, codes, client }, response);
    },
    "/token": ({ form, headers }, response) => {
      const code = codes.get(form.get("code") ?? "");
      if (!rules.answersExchange) return;
      const problem = rules.tokenError ?? findProblem(form, headers, code, clients);
      codes.delete(form.get("code") ?? "");
      if (problem !== undefined) json(response, 400, { error: problem });
      else json(response, 200, tokensFor(code?.scope ?? ""));
    },
    "/revoke": (_, response) => {
      json(response, 200, {});
    },
    "/register": ({ body }, response) => {
      const asked = JSON.parse(body) as Record<string, unknown>;
      const id = `registered-${randomBytes(4).toString("hex")}`;
      if (rules.registrationStatus === 201) clients.set(id, undefined);
      json(response, rules.registrationStatus, { ...asked, client_id: id });
    },
  };
}

function metadataOf(origin: string, { metadata }: AuthorizationRules): object {
  const whole: Record<string, unknown> = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    revocation_endpoint: `${origin}/revoke`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
    authorization_response_iss_parameter_supported: true,
    ...metadata,
  };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null));
}

function redirectBack(
  query: URLSearchParams,
  {
    rules,
    codes,
    client,
  }: { rules: AuthorizationRules; codes: Map<string, GivenCode>; client: string },
  response: ServerResponse,
): void {
  const redirectUri = query.get("redirect_uri") ?? "";
  const back = new URL(redirectUri);
  if (rules.decision === "allow") {
    const code = randomBytes(16).toString("hex");
    const challenge = query.get("code_challenge") ?? "";
    codes.set(code, { client, challenge, redirectUri, scope: query.get("scope") ?? "" });
    back.searchParams.set("code", code);
  } else {
    back.searchParams.set("error", rules.decision);
  }
  back.searchParams.set("state", query.get("state") ?? "");
  if (rules.iss !== undefined) back.searchParams.set("iss", rules.iss);
  response.writeHead(302, { location: back.href }).end();
}

/** Returns a strict server's objection to a token request (RFC 6749 §4.1.3, RFC 7636 §4.6). */
function findProblem(
  form: URLSearchParams,
  headers: IncomingMessage["headers"],
  code: GivenCode | undefined,
  clients: AuthorizationServer["clients"],
): string | undefined {
  const { id, secret } = clientOf(form, headers);
  if (!clients.has(id) || clients.get(id) !== secret) return "invalid_client";
  const hash = createHash("sha256").update(form.get("code_verifier") ?? "");
  const proven = hash.digest("base64url") === code?.challenge;
  const same = code?.client === id && code.redirectUri === form.get("redirect_uri");
  return proven && same ? undefined : "invalid_grant";
}

function clientOf(
  form: URLSearchParams,
  { authorization = "" }: IncomingMessage["headers"],
): { id: string; secret?: string } {
  if (!authorization.startsWith("Basic ")) return { id: form.get("client_id") ?? "" };
  const pair = Buffer.from(authorization.slice("Basic ".length), "base64").toString();
  const [id = "", secret = ""] = pair.split(":");
  return { id, secret };
}

function tokensFor(scope: string): object {
  return {
    access_token: `at_${randomBytes(16).toString("hex")}`,
    refresh_token: `rt_${randomBytes(16).toString("hex")}`,
    token_type: "Bearer",
    expires_in: 7200,
    scope,
  };
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const dripping = setInterval(() => response.write(" "), 20);
  response.on("close", () => {
    clearInterval(dripping);
  });
}

function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function notFound(_: SeenRequest, response: ServerResponse): void {
  json(response, 404, { error: "not_found" });
}

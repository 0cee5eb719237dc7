import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { readState } from "../../bridge/src/profile/profile.js";
import { openStore } from "../../bridge/src/storage/open-store.js";
import { storeSignIn } from "../../bridge/src/tokens/stored-sign-in.js";
import { aContext, testSettings } from "./bridge-context.js";

/** Key and certificate of an untrusted authority for localhost. */
export const localhostPem = fileURLToPath(new URL("./localhost.pem", import.meta.url));

export interface ServerTraits {
  /** Undefined if the server requires no sign-in. */
  accessToken: string | undefined;
  /** Overrides fields of published metadata. */
  resourceMetadata: Record<string, unknown>;
  authorizationServerMetadata: Record<string, unknown>;
  /** If set, the status of every response at /mcp. */
  mcpStatus: number | undefined;
  date: Date | undefined;
}

export interface CommandsServer {
  origin: string;
  mcp: string;
  traits: ServerTraits;
  revoked: URLSearchParams[];
  stop: () => Promise<void>;
}

/** A small MCP server with sign-in, for tests of status, logout and doctor. */
export async function startCommandsServer({ tls = false } = {}): Promise<CommandsServer> {
  const traits: ServerTraits = {
    accessToken: "mcp_at_good",
    resourceMetadata: {},
    authorizationServerMetadata: {},
    mcpStatus: undefined,
    date: undefined,
  };
  const revoked: URLSearchParams[] = [];
  let origin = "";
  const find = async (request: IncomingMessage): Promise<Answer> => {
    const body = await readBody(request);
    switch (request.url ?? "") {
      case "/mcp":
        return answerMcp(traits, request.headers.authorization ?? "", origin);
      case "/.well-known/oauth-protected-resource/mcp":
        return { status: 200, value: describeResource(traits, origin) };
      case "/.well-known/oauth-authorization-server":
        return { status: 200, value: describeSignIn(traits, origin) };
      case "/token":
        return { status: 400, value: { error: "invalid_grant" } };
      case "/revoke":
        revoked.push(new URLSearchParams(body));
        return { status: 200, value: {} };
      default:
        return { status: 404, value: {} };
    }
  };
  const listener: RequestListener = (request, response) => {
    void find(request).then(({ status, value, challenge }) => {
      if (traits.date !== undefined) response.setHeader("date", traits.date.toUTCString());
      if (challenge !== undefined) response.setHeader("www-authenticate", challenge);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    });
  };
  const pem = tls ? readFileSync(localhostPem) : undefined;
  const server: Server = tls
    ? createTlsServer({ key: pem, cert: pem }, listener)
    : createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  origin = `${tls ? "https" : "http"}://localhost:${port}`;
  return {
    origin,
    mcp: `${origin}/mcp`,
    traits,
    revoked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Answer {
  status: number;
  value: object;
  challenge?: string;
}

function answerMcp({ accessToken, mcpStatus }: ServerTraits, sent: string, origin: string): Answer {
  if (mcpStatus !== undefined) return { status: mcpStatus, value: {} };
  if (accessToken !== undefined && sent !== `Bearer ${accessToken}`) {
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    return { status: 401, value: {}, challenge: `Bearer resource_metadata="${metadata}"` };
  }
  const serverInfo = { name: "commands-server", version: "7" };
  const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo };
  return { status: 200, value: { jsonrpc: "2.0", id: 1, result } };
}

function describeResource({ resourceMetadata }: ServerTraits, origin: string): object {
  return { resource: `${origin}/mcp`, authorization_servers: [origin], ...resourceMetadata };
}

function describeSignIn({ authorizationServerMetadata }: ServerTraits, origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    ...authorizationServerMetadata,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Stores the result of a sign-in at the server, with the tokens in a file. */
export async function storeTestSignIn(
  { mcp, origin }: CommandsServer,
  home: string,
  profile = "",
): Promise<void> {
  const context = aContext(testSettings({ server: mcp, profile, home, storage: "file" }));
  await storeSignIn(context, await openStore(context, await readState(context.profile)), {
    authorization: {
      issuer: origin,
      tokenEndpoint: `${origin}/token`,
      revocationEndpoint: `${origin}/revoke`,
      resource: mcp,
      client: { id: "fettle-bridge", authMethod: "none", registered: false },
      scope: "mcp_read mcp_write",
    },
    accessToken: "mcp_at_good",
    expiresIn: 7200,
    refreshToken: "mcp_rt_good",
    clientSecret: undefined,
  });
}

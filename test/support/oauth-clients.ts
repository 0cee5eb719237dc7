import { createServer } from "node:http";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

interface StoredTokens {
  access_token: string;
  token_type: string;
  refresh_token?: string;
  scope?: string;
}

interface ToolAnswer {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text?: string }[];
}

/** A connected client of either major version, with helpers for tests. */
export interface ConnectedClient {
  listTools: () => Promise<string[]>;
  call: (name: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;
  tokens: () => StoredTokens;
  clientId: () => string;
  close: () => Promise<void>;
}

/** Acts as the browser: takes a person from the authorization address to the callback. */
export type OpenBrowser = (authorizationUrl: URL) => Promise<void>;

export type Major = "v1" | "v2";

/**
 * Connects with the client's own OAuth code: discovery, registration (or a client metadata
 * document), PKCE, callback, token request.
 */
export async function connectByOAuth(
  major: Major,
  mcpUrl: string,
  openBrowser: OpenBrowser,
  clientMetadataUrl?: string,
): Promise<ConnectedClient> {
  const callback = await listenForCallback();
  const provider = new MemoryProvider(callback.url, openBrowser, clientMetadataUrl);
  try {
    return await (major === "v1" ? connectV1 : connectV2)(mcpUrl, provider, callback.received);
  } finally {
    callback.close();
  }
}

async function connectV1(
  mcpUrl: string,
  provider: MemoryProvider,
  received: Promise<URLSearchParams>,
): Promise<ConnectedClient> {
  const first = new StreamableHTTPClientTransport(new URL(mcpUrl), {
    authProvider: provider as never,
  });
  const info = { name: "acceptance-v1", version: "1.0.0" };
  await new Client(info).connect(first as never).then(unexpected, (error: unknown) => {
    if (!(error instanceof UnauthorizedError)) throw error;
  });
  await first.finishAuth((await received).get("code") ?? "");
  const client = new Client(info);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(mcpUrl), {
      authProvider: provider as never,
    }),
  );
  return {
    ...provider.view(),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

async function connectV2(
  mcpUrl: string,
  provider: MemoryProvider,
  received: Promise<URLSearchParams>,
): Promise<ConnectedClient> {
  const first = new ModernTransport(new URL(mcpUrl), { authProvider: provider as never });
  const info = { name: "acceptance-v2", version: "1.0.0" };
  const options = { versionNegotiation: { mode: "auto" } } as const;
  await new ModernClient(info, options).connect(first).then(unexpected, (error: unknown) => {
    if (!(error instanceof ModernUnauthorized)) throw error;
  });
  await first.finishAuth(await received);
  const client = new ModernClient(info, options);
  await client.connect(new ModernTransport(new URL(mcpUrl), { authProvider: provider as never }));
  return {
    ...provider.view(),
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

function unexpected(): never {
  throw new Error("The server let a client in without a token.");
}

/**
 * Stores in memory what clients store on disk. Implements the provider interface of both major
 * versions.
 */
class MemoryProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl: string | undefined;
  readonly #openBrowser: OpenBrowser;
  readonly #saved = new Map<string, unknown>();

  constructor(redirectUrl: string, openBrowser: OpenBrowser, clientMetadataUrl?: string) {
    this.redirectUrl = redirectUrl;
    this.clientMetadataUrl = clientMetadataUrl;
    this.#openBrowser = openBrowser;
  }

  get clientMetadata() {
    return {
      client_name: "Acceptance client",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "mcp_read mcp_write",
      application_type: "native",
    };
  }
  clientInformation() {
    return this.#saved.get("client");
  }
  saveClientInformation(client: unknown) {
    this.#saved.set("client", client);
  }
  tokens() {
    return this.#saved.get("tokens");
  }
  saveTokens(tokens: unknown) {
    this.#saved.set("tokens", tokens);
  }
  saveCodeVerifier(verifier: string) {
    this.#saved.set("verifier", verifier);
  }
  codeVerifier() {
    return this.#saved.get("verifier");
  }
  discoveryState() {
    return this.#saved.get("discovery");
  }
  saveDiscoveryState(state: unknown) {
    this.#saved.set("discovery", state);
  }
  async redirectToAuthorization(url: URL) {
    await this.#openBrowser(url);
  }

  view(): Pick<ConnectedClient, "tokens" | "clientId"> {
    return {
      tokens: () => this.#saved.get("tokens") as StoredTokens,
      clientId: () => (this.#saved.get("client") as { client_id: string }).client_id,
    };
  }
}

async function listenForCallback() {
  let deliver: (parameters: URLSearchParams) => void = () => undefined;
  const received = new Promise<URLSearchParams>((done) => (deliver = done));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Connected</title><p>You can close this window.</p>");
    if (url.pathname === "/callback") deliver(url.searchParams);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no callback port");
  return {
    url: `http://127.0.0.1:${address.port}/callback`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

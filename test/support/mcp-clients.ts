import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FastifyInstance } from "fastify";

/** A connected official client with its unmodified results. */
export interface OfficialClient {
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
}

let made = 0;

/**
 * Connects the official clients of both major versions in turn, without a network. 2.x uses
 * revision 2026-07-28, and 1.x uses revision 2025-11-25.
 */
export async function connectOfficialClient(
  app: FastifyInstance,
  baseUrl: string,
  token: string,
): Promise<OfficialClient> {
  made += 1;
  const address = new URL(`${baseUrl}/mcp`);
  const options = {
    fetch: fetchFrom(app),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  };
  const info = { name: "test", version: "1" };
  if (made % 2 === 0) {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(address, options));
    return client;
  }
  const client = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(new ModernTransport(address, options));
  return client;
}

/** The person's answer to a form, based on its text. */
export type AnswerForm = (form: {
  message: string;
  description: string;
}) => { action: "accept"; content: { typed: string } } | { action: "decline" | "cancel" };

/** Connects the 2.x client in revision 2026-07-28 as a client that shows forms. */
export async function connectAskingClient(
  app: FastifyInstance,
  baseUrl: string,
  token: string,
  answer: AnswerForm,
): Promise<OfficialClient> {
  const client = new ModernClient(
    { name: "test", version: "1" },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    if (params.mode === "url") throw new Error("Only forms are answered.");
    const { typed } = params.requestedSchema.properties;
    return answer({ message: params.message, description: typed?.description ?? "" });
  });
  await client.connect(
    new ModernTransport(new URL(`${baseUrl}/mcp`), {
      fetch: fetchFrom(app),
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

function fetchFrom(app: FastifyInstance) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const answer = await app.inject({
      method: init.method ?? "GET",
      url: url.pathname + url.search,
      headers: { host: url.host, ...Object.fromEntries(new Headers(init.headers)) },
      ...(typeof init.body === "string" && { payload: init.body }),
    });
    const bodyless = answer.statusCode === 202 || answer.statusCode === 204;
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    return new Response(bodyless ? null : answer.body, { status: answer.statusCode, headers });
  };
}

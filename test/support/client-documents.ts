import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Database } from "../../server/src/db/database.js";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { DocumentNetwork } from "../../server/src/oauth/read-document.js";
import type { TestBrowser } from "./browser.js";
import { authorizeUrl, type Challenge, type TestClient } from "./oauth.js";

/** Key and certificate for apps.example and its subdomains. */
const pem = readFileSync(new URL("./apps-example.pem", import.meta.url), "utf8");

/** Resolves every name to this computer, which serves the documents during tests. */
export const localNetwork: DocumentNetwork = {
  resolve: async () => ["127.0.0.1"],
  resolveTexts: async () => [],
  isAllowed: (address) => address === "127.0.0.1",
  ca: pem,
};

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Values other than text are sent as JSON. */
  body?: unknown;
}

type Answering = Answer | (() => Answer | Promise<Answer>);

export interface DocumentHost {
  /** Returns the address of a path on one of its names. */
  url: (path: string, name?: string) => string;
  answer: (path: string, answer: Answering) => void;
  /** Publishes a valid document of a public client at a path, with changes. Returns the client. */
  describe: (path: string, changes?: Record<string, unknown>, answer?: Answer) => TestClient;
  /** Requests since the test began. */
  requests: { path: string; headers: IncomingHttpHeaders }[];
  connections: () => number;
}

export function useDocumentHost(): () => DocumentHost {
  let server: Server | undefined;
  let host: DocumentHost | undefined;
  let connections = 0;
  beforeAll(async () => {
    const answers = new Map<string, Answering>();
    const requests: DocumentHost["requests"] = [];
    const started = createServer({ key: pem, cert: pem }, (request, response) => {
      const path = request.url ?? "";
      requests.push({ path, headers: request.headers });
      const answering = answers.get(path) ?? { status: 404 };
      void Promise.resolve(typeof answering === "function" ? answering() : answering).then(
        ({ status = 200, headers, body = "" }) => {
          response.writeHead(status, { "content-type": "application/json", ...headers });
          response.end(typeof body === "string" ? body : JSON.stringify(body));
        },
      );
    });
    started.on("connection", () => (connections += 1));
    await new Promise<void>((listening) => started.listen(0, "127.0.0.1", listening));
    server = started;
    const { port } = started.address() as AddressInfo;
    const url = (path: string, name = "apps.example") => `https://${name}:${port}${path}`;
    host = {
      url,
      answer: (path, answer) => answers.set(path, answer),
      describe: (path, changes, answer) => {
        const document = { ...aDocument(url(path)), ...changes };
        answers.set(path, { ...answer, body: document });
        const { redirect_uris: uris } = document as { redirect_uris?: string[] };
        return { id: url(path), secret: undefined, redirectUri: uris?.[0] ?? "" };
      },
      requests,
      connections: () => connections,
    };
  });
  beforeEach(() => {
    host?.requests.splice(0);
    connections = 0;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return () => {
    if (host === undefined) throw new Error("The documents are there only while tests run.");
    return host;
  };
}

export function aDocument(clientId: string): Record<string, unknown> {
  return {
    client_id: clientId,
    client_name: "Described app",
    redirect_uris: ["https://client.example/callback"],
    token_endpoint_auth_method: "none",
  };
}

interface Asking {
  db: Database;
  browser: TestBrowser;
  challenge: Challenge;
}

/** Helpers for a described client's authorization requests and its stored document. */
export function useDocumentClient(asking: () => Asking) {
  const open = (client: TestClient, changes: Record<string, string | undefined> = {}) =>
    asking().browser.get(authorizeUrl(client, asking().challenge, changes));
  return {
    open,
    expectDeadEnd: async (client: TestClient, changes: Record<string, string> = {}) => {
      const answer = await open(client, changes);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers["content-type"]).toMatch(/^text\/html/);
      expect(answer.headers.location).toBeUndefined();
      return answer;
    },
    expectConsent: async (client: TestClient, changes: Record<string, string> = {}) => {
      const answer = await open(client, changes);
      expect(answer.headers.location).toMatch(/^\/oauth\/consent\//);
    },
    find: async (client: TestClient): Promise<{ name: string; seconds: number } | undefined> => {
      const row = await asking().db.maybe<{ name: string; seconds: number }>(
        `SELECT name, extract(epoch FROM metadata_expires_at - created_at)::int AS seconds
         FROM oauth_clients WHERE id = $1`,
        [client.id],
      );
      return row;
    },
    expire: async (client: TestClient): Promise<void> => {
      await asking().db.query(
        "UPDATE oauth_clients SET metadata_expires_at = app_now() WHERE id = $1",
        [client.id],
      );
    },
  };
}

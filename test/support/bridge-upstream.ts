import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A JSON-RPC message, loosely typed. */
export interface Message {
  jsonrpc?: "2.0";
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** An HTTP request to the server with helpers to answer it. */
export interface Exchange {
  verb: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The parsed body, or an empty object without a body or for a batch. */
  message: Message;
  response: ServerResponse;
  /** Resolves when the client has disconnected. */
  gone: Promise<void>;
  /** Answers 200 with the JSON-RPC result. */
  result: (result: object) => void;
  /** Answers with a JSON-RPC error and any status. */
  fail: (code: number, message: string, status?: number) => void;
  status: (status: number, headers?: Record<string, string>, body?: string) => void;
  /** Starts a text/event-stream. */
  stream: () => EventStream;
  /** Drops the connection. */
  reset: () => void;
}

export interface EventStream {
  send: (message: object | string, event?: { id?: string; retry?: number }) => void;
  /** Sends the result to the request and ends the stream. */
  result: (result: object) => void;
  end: () => void;
  reset: () => void;
}

export type Handler = (exchange: Exchange) => void | Promise<void>;

export interface UpstreamOptions {
  /** Issues session ids, requires them and accepts DELETE. */
  sessions?: boolean;
  tools?: readonly object[];
  /** Accepted tokens. Default: no authentication. */
  tokens?: Set<string>;
  /** The `WWW-Authenticate` header of a 401. */
  challenge?: string;
  protocolVersion?: string;
}

/** A scriptable MCP server in this process. Tests override its default behaviour. */
export interface Upstream {
  /** The MCP address. A restart doesn't change it. */
  url: string;
  /** Every HTTP request so far, in order. */
  exchanges: Exchange[];
  sessions: Set<string>;
  /** Names of executed tools, in order. Scripted handlers add theirs. */
  executed: string[];
  /** Scripts a JSON-RPC method, or the HTTP methods "GET", "DELETE", or "response". */
  on: (what: string, handler: Handler) => void;
  /** Scripts only the next exchange. Several are queued. */
  once: (what: string, handler: Handler) => void;
  /** The exchanges of one JSON-RPC or HTTP method. */
  of: (what: string) => Exchange[];
  /** Resolves with the first matching exchange, past or future. */
  seen: (what: string, count?: number) => Promise<Exchange>;
  /** The default handler, for scripts that only act before it. */
  plainly: Handler;
  /** Closes the listener and all connections. */
  stop: () => Promise<void>;
  /** Listens again on the old port. Sessions are lost, as after a restart. */
  start: () => Promise<void>;
}

export const echoTools = [
  tool("read_thing", { readOnlyHint: true }),
  tool("put_thing", { readOnlyHint: false, idempotentHint: true }),
  tool("add_thing", { readOnlyHint: false }),
];

function tool(name: string, annotations: object): object {
  return { name, description: `Tool ${name}.`, inputSchema: { type: "object" }, annotations };
}

export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const exchanges: Exchange[] = [];
  const scripts = new Map<string, Handler>();
  const queues = new Map<string, Handler[]>();
  const watchers = new Set<() => void>();
  const sessions = new Set<string>();
  const executed: string[] = [];
  const plainly = createPlainBehaviour(options, sessions, executed);
  const listener = createListener(async (exchange) => {
    exchanges.push(exchange);
    for (const watch of [...watchers]) watch();
    const what = kindOf(exchange);
    const handler = queues.get(what)?.shift() ?? scripts.get(what) ?? plainly;
    await handler(exchange);
  });
  const port = await listener.listen(0);
  const of = (what: string) => exchanges.filter((exchange) => kindOf(exchange) === what);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    exchanges,
    sessions,
    executed,
    of,
    plainly,
    on: (what, handler) => {
      scripts.set(what, handler);
    },
    once: (what, handler) => {
      queues.set(what, [...(queues.get(what) ?? []), handler]);
    },
    seen: (what, count = 1) =>
      new Promise((found) => {
        const check = () => {
          const exchange = of(what)[count - 1];
          if (exchange === undefined) return;
          watchers.delete(check);
          found(exchange);
        };
        watchers.add(check);
        check();
      }),
    stop: listener.close,
    start: async () => {
      sessions.clear();
      await listener.listen(port);
    },
  };
}

/** The kind of an exchange: the JSON-RPC method, "response", "batch", or the HTTP method. */
function kindOf({ verb, message, body }: Exchange): string {
  if (verb !== "POST") return verb;
  if (body.startsWith("[")) return "batch";
  return message.method ?? "response";
}

function createPlainBehaviour(
  options: UpstreamOptions,
  sessions: Set<string>,
  executed: string[],
): Handler {
  const { tools = echoTools, tokens, challenge = "Bearer", protocolVersion } = options;
  const refuse = ({ headers, message }: Exchange): number => {
    const [, token = ""] = (headers.authorization ?? "").split(" ");
    if (tokens !== undefined && !tokens.has(token)) return 401;
    const session = String(headers["mcp-session-id"] ?? "");
    const wanted = options.sessions === true && message.method !== "initialize";
    return wanted && !sessions.has(session) ? 404 : 0;
  };
  const answers: Record<string, Handler> = {
    initialize: ({ result, response, message }) => {
      if (options.sessions === true) {
        const session = `session-${sessions.size + 1}-${Math.random().toString(36).slice(2)}`;
        sessions.add(session);
        response.setHeader("mcp-session-id", session);
      }
      result({
        protocolVersion: protocolVersion ?? message.params?.["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "upstream", version: "1" },
      });
    },
    "tools/list": ({ result }) => {
      result({ tools });
    },
    "tools/call": ({ result, message }) => {
      executed.push(String(message.params?.["name"]));
      result({ content: [{ type: "text", text: JSON.stringify(message.params?.["arguments"]) }] });
    },
    "server/discover": ({ result }) => {
      result({
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: "private",
      });
    },
    ping: ({ result }) => {
      result({});
    },
    GET: ({ status }) => {
      status(405, { allow: "POST" });
    },
    DELETE: ({ status, headers }) => {
      sessions.delete(String(headers["mcp-session-id"]));
      status(200);
    },
  };
  return (exchange) => {
    const refusal = refuse(exchange);
    if (refusal > 0) {
      exchange.status(refusal, refusal === 401 ? { "www-authenticate": challenge } : {});
      return;
    }
    const answer = answers[kindOf(exchange)];
    if (answer !== undefined) return answer(exchange);
    if (exchange.message.id === undefined || exchange.message.method === undefined) {
      exchange.status(202);
    } else exchange.fail(-32601, "Method not found");
  };
}

function createListener(handle: Handler): {
  listen: (port: number) => Promise<number>;
  close: () => Promise<void>;
} {
  const sockets = new Set<Socket>();
  const open = () => {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts).toString("utf8");
        const exchange = toExchange(request.method ?? "", request.headers, body, response);
        void handle(exchange);
      });
    });
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    return server;
  };
  let server = open();
  return {
    listen: async (port) => {
      server = open();
      await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
      return (server.address() as AddressInfo).port;
    },
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
  };
}

function toExchange(
  verb: string,
  headers: IncomingHttpHeaders,
  body: string,
  response: ServerResponse,
): Exchange {
  const message = body.startsWith("{") ? (JSON.parse(body) as Message) : {};
  const { id } = message;
  const status: Exchange["status"] = (code, fields = {}, text = "") => {
    response.writeHead(code, fields).end(text);
  };
  const json = (code: number, value: object) => {
    status(code, { "content-type": "application/json" }, JSON.stringify(value));
  };
  const reset = () => {
    response.socket?.resetAndDestroy();
  };
  return {
    verb,
    headers,
    body,
    message,
    response,
    gone: new Promise((gone) => response.once("close", gone)),
    result: (result) => {
      json(200, { jsonrpc: "2.0", id, result });
    },
    fail: (code, text, httpStatus = 200) => {
      json(httpStatus, { jsonrpc: "2.0", id, error: { code, message: text } });
    },
    status,
    stream: () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      return toEventStream(response, id, reset);
    },
    reset,
  };
}

function toEventStream(
  response: ServerResponse,
  id: Message["id"],
  reset: () => void,
): EventStream {
  const send: EventStream["send"] = (message, event = {}) => {
    const data = typeof message === "string" ? message : JSON.stringify(message);
    const fields = [
      ...(event.id === undefined ? [] : [`id: ${event.id}`]),
      ...(event.retry === undefined ? [] : [`retry: ${event.retry}`]),
      ...data.split("\n").map((line) => `data: ${line}`),
    ];
    response.write(fields.join("\n") + "\n\n");
  };
  return {
    send,
    result: (result) => {
      send({ jsonrpc: "2.0", id, result });
      response.end();
    },
    end: () => {
      response.end();
    },
    reset,
  };
}

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { installPeers } from "../install-peers.js";
import { type Contender, contenders, peers } from "./contenders.js";

/*
 * Shows how bridges behave in failure cases, as a table to read next to the figures of `main.ts`.
 */

interface Message {
  id?: unknown;
  method?: string;
  params?: { arguments?: { waitMs?: number; size?: number } };
  result?: object;
  error?: object;
}

function toResult(method = "", size: number): object {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "probe", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
    default:
      return { content: [{ type: "text", text: "x".repeat(size) }] };
  }
}

/** An MCP server with sessions, optional delays and long answers. */
function startServer(port = 0) {
  const seen = { opened: 0, ended: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "DELETE") seen.ended += 1;
    if (request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      return;
    }
    const message = JSON.parse(await text(request)) as Message;
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const { waitMs = 0, size = 1 } = message.params?.arguments ?? {};
    await sleep(waitMs);
    if (message.method === "initialize") seen.opened += 1;
    const session = message.method === "initialize" ? { "mcp-session-id": randomUUID() } : {};
    response.writeHead(200, { "content-type": "application/json", ...session });
    const result = toResult(message.method, size);
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  };
  const server = createServer((request, response) => void answer(request, response));
  const listening = once(server.listen(port, "127.0.0.1"), "listening");
  return {
    seen,
    address: async () => {
      await listening;
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function startBridge(contender: Contender, address: string) {
  const home = mkdtempSync(join(tmpdir(), "bridge-probe-"));
  const child = spawn(process.execPath, contender.args(address), {
    env: { PATH: process.env["PATH"], HOME: home, FETTLE_BRIDGE_HOME: join(home, "fettle") },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  const waiting = new Map<unknown, (message: Message) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(message.id)?.(message);
  });
  const exit = once(child, "exit") as Promise<[number | null, string | null]>;
  let last = 0;
  const ask = (method: string, params: object, limitMs = 30_000): Promise<string> => {
    const id = (last += 1);
    const answered = new Promise<string>((done) => {
      waiting.set(id, ({ error }) => {
        done(error === undefined ? "answered" : "answered with an error");
      });
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return Promise.race([answered, sleep(limitMs, "no answer")]);
  };
  return {
    child,
    ask,
    initialize: async () => {
      const clientInfo = { name: "probe", version: "1" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      const answer = await ask("initialize", params);
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      return answer;
    },
    call: (args: object) => ask("tools/call", { name: "echo", arguments: args }),
    /** Describes how the process ended, after a limited wait. */
    ending: async () => {
      const [code, signal] = await Promise.race([
        exit,
        sleep(12_000, [null, "not at all"] as const),
      ]);
      return `ends ${signal === null ? `with ${String(code)}` : `by ${signal}`}`;
    },
    end: async () => {
      child.kill("SIGKILL");
      await exit;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

type Server = ReturnType<typeof startServer>;
type Bridge = ReturnType<typeof startBridge>;
type Probe = (bridge: Bridge, server: Server, address: string) => Promise<string>;

/** All probes except the first begin with an open session. */
const probes: Record<string, Probe> = {
  "no server at the start: initialize": async (bridge) => bridge.initialize(),
  "sessions opened and ended": async ({ child, ask, ending }, { seen }) => {
    await ask("tools/list", {});
    child.stdin.end();
    await ending();
    return `${seen.opened} and ${seen.ended}`;
  },
  "end of stdin with a call on its way": async ({ child, call, ending }) => {
    const answer = call({ waitMs: 800 });
    await sleep(200);
    child.stdin.end();
    return `${await answer}, ${await ending()}`;
  },
  SIGTERM: async ({ child, ending }, { seen }) => {
    await sleep(500);
    child.kill("SIGTERM");
    const how = await ending();
    return `${how}, ${seen.ended > 0 ? "session ended" : "session left"}`;
  },
  "a request of 11 MiB": async ({ call }) => call({ text: "x".repeat(11 * 2 ** 20) }),
  "an answer of 40 MiB": async ({ call }) => call({ size: 40 * 2 ** 20 }),
  "a call while the server is away for 1.5 s": async ({ call }, server, address) => {
    await call({});
    await server.stop();
    // By then the bridge knows that the connections are closed.
    await sleep(300);
    const answer = call({});
    await sleep(1500);
    const next = startServer(Number(new URL(address).port));
    await next.address();
    const first = await answer;
    const second = await call({});
    await next.stop();
    return `${first}; the next one ${second}`;
  },
};

installPeers(peers);
const measured = contenders.filter(({ name }) => !name.startsWith("bare pipe"));
console.log(`| probe | ${measured.map(({ name }) => name).join(" | ")} |`);
console.log(`|${" --- |".repeat(measured.length + 1)}`);
for (const [name, probe] of Object.entries(probes)) {
  const cells = [];
  for (const contender of measured) {
    const server = startServer();
    const address = await server.address();
    const isAway = name.startsWith("no server");
    if (isAway) await server.stop();
    const bridge = startBridge(contender, address);
    if (!isAway) await bridge.initialize();
    cells.push(await probe(bridge, server, address));
    await bridge.end();
    await server.stop();
  }
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}
process.exit();

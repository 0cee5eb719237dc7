import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { BridgeError } from "../../bridge/src/common/errors.js";
import { noTokens, type TokenManager } from "../../bridge/src/tokens/token-manager.js";
import { startCommandsServer } from "../support/bridge-commands-server.js";
import { makeHome } from "../support/bridge-context.js";
import { type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { startUpstream, type Upstream } from "../support/bridge-upstream.js";

const timeouts = {
  initializeMs: 5000,
  firstRetryMs: 10,
  maxRetryMs: 20,
  maxBackgroundRetryMs: 20,
};
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function host(url: string): RunningProxy {
  const it = startProxy(url, { timeouts });
  ends.push(it.stop);
  return it;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Returns the host's view of an unreachable server, before any timeout of the host. */
async function look(it: RunningProxy) {
  const initialized = await it.initialize();
  const { result: list } = await it.request("tools/list");
  const { result } = await it.call("connection_problem");
  const [content] = result?.["content"] as { text: string }[];
  return {
    initialized: initialized.result !== undefined,
    tools: (list?.["tools"] as { name: string }[]).map(({ name }) => name),
    isError: result?.["isError"],
    text: content?.text ?? "",
  };
}

async function untrusted(): Promise<string> {
  const server = await startCommandsServer({ tls: true });
  ends.push(server.stop);
  return server.mcp;
}

const legacy: RequestListener = (_, response) => response.writeHead(405).end();
const missing: RequestListener = (_, response) => response.writeHead(404).end();

test.each([
  [
    "an unknown host",
    async () => "https://nobody.invalid/mcp",
    "nobody.invalid cannot be resolved",
  ],
  ["a certificate that nobody trusts", untrusted, /is not trusted \(.*--ca-file/],
  ["an address that is none of an MCP server", () => serve(missing), "Check the path"],
  ["a server of 2024 with HTTP+SSE", () => serve(legacy), "Check the path"],
])("%s is reported by a tool, and once on stderr", async (_, start, reason) => {
  const it = host(await start());

  const seen = await look(it);

  expect(seen).toMatchObject({ initialized: true, tools: ["connection_problem"], isError: true });
  expect(seen.text).toMatch(reason);
  expect(it.logged).toEqual([`fettle-bridge: ${seen.text}\n`]);
});

test("the server's own list appears when the problem is fixed", async () => {
  const upstream: Upstream = await startUpstream();
  ends.push(upstream.stop);
  let isBroken = true;
  upstream.on("initialize", ({ status, result, message }) => {
    if (isBroken) status(404);
    else {
      const { protocolVersion } = message.params ?? {};
      result({
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      });
    }
  });
  const it = host(upstream.url);
  const seen = await look(it);

  isBroken = false;
  await it.frame(({ method }) => method === "notifications/tools/list_changed");
  const { result } = await it.request("tools/list");
  const now = await it.call("connection_problem");

  expect(seen.tools).toEqual(["connection_problem"]);
  expect(JSON.stringify(result)).toContain("read_thing");
  expect(now.result).toMatchObject({
    content: [{ text: expect.stringContaining("again") as string }],
  });
});

test("an unreachable server is not reported on stderr", async () => {
  const upstream: Upstream = await startUpstream();
  await upstream.stop();
  const it = startProxy(upstream.url, { timeouts: { ...timeouts, initializeMs: 50, listMs: 100 } });
  ends.push(it.stop);

  const seen = await look(it);

  expect(seen).toMatchObject({ tools: ["connection_problem"], isError: true });
  expect(seen.text).toContain("nothing answers at");
  expect(it.logged).toEqual([]);
});

/** A token store in a keychain that is locked until the person enters the password. */
function lockedTokens(isTyped: () => boolean) {
  let isLocked = true;
  let asked = 0;
  const locked = () => new BridgeError("keychain_locked", "The keychain is locked.");
  const tokens: TokenManager = {
    ...noTokens,
    get: async () => {
      if (isLocked) throw locked();
      return undefined;
    },
    unlock: async () => {
      asked += 1;
      if (!isTyped()) throw locked();
      isLocked = false;
    },
  };
  return { tokens, asked: () => asked };
}

test("a locked keychain keeps the known list, prompts no one, and is reported once", async () => {
  const upstream: Upstream = await startUpstream();
  ends.push(upstream.stop);
  const home = makeHome();
  ends.push(async () => {
    home.remove();
  });
  const before = startProxy(upstream.url, { timeouts, home: home.path });
  await before.initialize();
  const known = await before.request("tools/list");
  await before.stop();
  const { tokens, asked } = lockedTokens(() => false);
  const it = startProxy(upstream.url, { timeouts, home: home.path, tokens });
  ends.push(it.stop);

  const initialized = await it.initialize();
  const list = await it.request("tools/list");
  await it.request("tools/list");

  expect(initialized.result?.["serverInfo"]).toMatchObject({ name: "upstream" });
  expect(list.result).toEqual(known.result);
  expect(asked()).toBe(0);
  expect(it.logged).toEqual(["fettle-bridge: The keychain is locked.\n"]);
});

test("without a known list, a tool reports the locked keychain and has it unlocked", async () => {
  const upstream: Upstream = await startUpstream();
  ends.push(upstream.stop);
  let isTyped = false;
  const { tokens, asked } = lockedTokens(() => isTyped);
  const it = startProxy(upstream.url, { timeouts, tokens });
  ends.push(it.stop);

  const seen = await look(it);
  isTyped = true;
  const now = await it.call("connection_problem");

  expect(seen).toMatchObject({ tools: ["connection_problem"], isError: true });
  expect(seen.text).toBe("The keychain is locked.");
  expect(now.result?.["isError"]).toBeUndefined();
  expect(asked()).toBe(2);
});

test.each([
  ["goes on when the keychain is unlocked for it", true],
  ["says so when it is not", false],
])("a person's call %s", async (_, isTyped) => {
  const upstream: Upstream = await startUpstream();
  ends.push(upstream.stop);
  const { tokens, asked } = lockedTokens(() => isTyped);
  const it = startProxy(upstream.url, { timeouts, tokens });
  ends.push(it.stop);
  await it.initialize();

  const { result, error } = await it.call("add_thing");

  expect(asked()).toBe(1);
  expect(result !== undefined).toBe(isTyped);
  expect(error?.data?.["code"]).toBe(isTyped ? undefined : "keychain_locked");
});

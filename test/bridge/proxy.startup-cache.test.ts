import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BridgeError } from "../../bridge/src/common/errors.js";
import { noTokens, type TokenManager } from "../../bridge/src/tokens/token-manager.js";
import {
  modernMeta,
  type ProxyStart,
  type RunningProxy,
  startProxy,
} from "../support/bridge-proxy.js";
import { echoTools, startUpstream, type Upstream } from "../support/bridge-upstream.js";

const timeouts = { firstRetryMs: 10, maxRetryMs: 20, maxBackgroundRetryMs: 20, signInPollMs: 20 };
const changed = "notifications/tools/list_changed";

describe("a host's first requests", () => {
  let upstream: Upstream;
  let home: string;
  let hosts: RunningProxy[];

  beforeEach(async () => {
    upstream = await startUpstream();
    home = mkdtempSync(join(tmpdir(), "fettle-bridge-first-"));
    hosts = [];
  });
  afterEach(async () => {
    for (const host of hosts) await host.stop();
    await upstream.stop();
    rmSync(home, { recursive: true, force: true });
  });

  function start(options: ProxyStart = {}): RunningProxy {
    const host = startProxy(upstream.url, {
      home,
      ...options,
      timeouts: { ...timeouts, ...options.timeouts },
    });
    hosts.push(host);
    return host;
  }

  /** Runs once against the server, so its responses are cached. */
  async function remember(): Promise<void> {
    const host = start({ timeouts: { initializeMs: 5000 } });
    await host.initialize();
    await host.request("tools/list");
    await host.request("server/discover", { _meta: modernMeta });
    await host.startupCache.flush();
  }

  test("passes on the server's timely answer and announces list changes", async () => {
    const host = start({ timeouts: { initializeMs: 5000 } });

    const answer = await host.initialize();

    expect(answer.result).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "upstream", version: "1" },
    });
  });

  test("keeps an answer that already announces list changes unchanged", async () => {
    upstream.on("initialize", ({ status, message }) => {
      const result =
        '{ "protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"x":1.0 }';
      const id = JSON.stringify(message.id);
      status(200, { "content-type": "application/json" }, `{"result":${result}, "id":${id}}`);
    });
    const host = start({ timeouts: { initializeMs: 5000 } });

    await host.initialize();

    expect(host.lines[0]).toContain('"x":1.0 }');
  });

  test("answers initialize immediately from the server's last answer", async () => {
    await remember();
    upstream.on("initialize", () => undefined);
    const host = start({ timeouts: { initializeMs: 60_000 } });

    const answer = await host.initialize();

    expect(answer.result?.["serverInfo"]).toEqual({ name: "upstream", version: "1" });
  });

  test("answers initialize itself when the server is silent and nothing is cached", async () => {
    upstream.on("initialize", () => undefined);
    const host = start({ timeouts: { initializeMs: 30 } });

    const answer = await host.initialize({ protocolVersion: "2025-06-18" });

    expect(answer.result).toMatchObject({
      protocolVersion: "2025-06-18",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "fettle-bridge" },
    });
  });

  test("returns empty lists for features that the server then lacks", async () => {
    upstream.once("initialize", (exchange) => {
      exchange.status(503);
    });
    for (const method of ["prompts/list", "resources/list", "resources/templates/list"]) {
      upstream.on(method, (exchange) => {
        exchange.fail(-32601, "Method not found");
      });
    }
    const host = start();
    await host.initialize();

    const [prompts, resources, templates, prompt] = [
      await host.request("prompts/list"),
      await host.request("resources/list"),
      await host.request("resources/templates/list"),
      await host.request("prompts/get", { name: "none" }),
    ];

    expect(prompts.result).toEqual({ prompts: [] });
    expect(resources.result).toEqual({ resources: [] });
    expect(templates.result).toEqual({ resourceTemplates: [] });
    expect(prompt.error).toBeDefined();
  });

  test.each([
    [503, { "retry-after": "120" }],
    [403, {}],
    [404, {}],
    [200, { "content-type": "text/html" }],
  ])("answers initialize itself immediately if the server returns status %i", async (...met) => {
    const [status, headers] = met;
    upstream.once("initialize", (exchange) => {
      exchange.status(status, headers, "<p>No</p>");
    });
    const host = start({ timeouts: { initializeMs: 60_000 } });

    const answer = await host.initialize();
    const list = await host.request("tools/list");

    expect(answer.result?.["serverInfo"]).toMatchObject({ name: "fettle-bridge" });
    expect(list.result).toEqual({ tools: echoTools });
  });

  test("answers initialize with a locked keychain, and the next request reports it", async () => {
    const tokens: TokenManager = {
      ...noTokens,
      get: () => Promise.reject(new BridgeError("keychain_locked", "The keychain is locked.")),
    };
    const host = start({ tokens, timeouts: { initializeMs: 60_000 } });

    const answer = await host.initialize();
    const call = await host.call("add_thing");

    expect(answer.result?.["serverInfo"]).toMatchObject({ name: "fettle-bridge" });
    expect(call.error?.data).toMatchObject({ code: "keychain_locked" });
  });

  test("a cached answer that the server withdraws is used for one start only", async () => {
    await remember();
    upstream.on("initialize", ({ fail }) => {
      fail(-32022, "Unsupported protocol version");
    });
    const first = start();
    await first.initialize();
    const call = await first.call("add_thing");
    await first.startupCache.flush();
    const second = start({ timeouts: { initializeMs: 60_000 } });

    const answer = await second.initialize();

    expect(call.error?.message).toBe(
      'The server declined the request: "Unsupported protocol version".',
    );
    expect(answer.error).toEqual({ code: -32022, message: "Unsupported protocol version" });
  });

  test("sends the handshake first to a late server, and everything works", async () => {
    await upstream.stop();
    const host = start({ timeouts: { initializeMs: 10 } });
    await host.initialize();
    const listing = host.request("tools/list");
    await upstream.start();

    const answer = await listing;

    expect(answer.result).toEqual({ tools: echoTools });
    const order = upstream.exchanges.map(({ verb, message }) => message.method ?? verb);
    expect(order.slice(0, 2)).toEqual(["initialize", "notifications/initialized"]);
    expect(host.frames.filter(({ id }) => id === "r1")).toHaveLength(1);
  });

  test("answers a slow list from the cache", async () => {
    await remember();
    await upstream.stop();
    const host = start({ timeouts: { listMs: 30 } });
    await host.initialize();

    const answer = await host.request("tools/list");

    expect(answer.result).toEqual({ tools: echoTools });
  });

  test("notifies the host only when the real list differs", async () => {
    await remember();
    await upstream.stop();
    const same = start({ timeouts: { listMs: 30 } });
    const other = start({ timeouts: { listMs: 30 } });
    await same.initialize();
    await same.request("tools/list");
    await upstream.start();
    await upstream.seen("tools/list", 2);
    await same.request("ping");
    await upstream.stop();
    await other.initialize();
    await other.request("tools/list");
    upstream.on("tools/list", ({ result }) => {
      result({ tools: echoTools.slice(1) });
    });

    await upstream.start();
    await other.frame(({ method }) => method === changed);

    expect(same.frames.map(({ method }) => method)).not.toContain(changed);
    expect((await other.request("tools/list")).result).toEqual({ tools: echoTools.slice(1) });
  });

  test("notifies the host about lists added since the server's last answer", async () => {
    await remember();
    upstream.on("initialize", ({ result }) => {
      const capabilities = { tools: {}, prompts: {}, completions: {} };
      result({ protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "new" } });
    });
    const host = start();

    const answer = await host.initialize();
    await host.frame(({ method }) => method === "notifications/prompts/list_changed");

    expect(answer.result?.["serverInfo"]).toEqual({ name: "upstream", version: "1" });
    expect(host.frames).toHaveLength(2);
  });

  describe("server/discover", () => {
    const discover = (host: RunningProxy) => host.request("server/discover", { _meta: modernMeta });
    const unknown = (timeouts: ProxyStart["timeouts"]) =>
      start({ home: mkdtempSync(join(home, "other-")), timeouts });

    test("is answered by the server, or else from the cache", async () => {
      const fromServer = await discover(start());
      await remember();
      await upstream.stop();

      const fromMemory = await discover(start({ timeouts: { initializeMs: 10 } }));

      expect(fromServer.result).toMatchObject({ supportedVersions: ["2026-07-28"] });
      expect(fromMemory.result).toEqual(fromServer.result);
    });

    test("is declined when nothing is cached and the server is unreachable", async () => {
      await upstream.stop();

      const { error } = await discover(unknown({ initializeMs: 30 }));

      expect(error?.code).toBe(-32601);
    });

    test("waits longer for a slow server", async () => {
      upstream.once("server/discover", async (exchange) => {
        await new Promise((done) => setTimeout(done, 100));
        await upstream.plainly(exchange);
      });
      upstream.on("server/discover", () => undefined);

      const slow = await discover(unknown({ initializeMs: 10 }));
      const mute = await discover(unknown({ initializeMs: 10, listMs: 50 }));

      expect(slow).toHaveProperty("result");
      expect(mute.error?.code).toBe(-32601);
    });
  });

  describe("subscriptions/listen", () => {
    const listen = (host: RunningProxy, id?: string) =>
      host.request("subscriptions/listen", { _meta: modernMeta, notifications: {} }, id);
    const hello = { jsonrpc: "2.0", method: "notifications/message", params: {} };

    test("fails quickly while the server is unreachable", async () => {
      await upstream.stop();

      const { error } = await listen(start({ timeouts: { listMs: 50 } }));

      expect(error?.data).toMatchObject({ code: "server_unreachable" });
    });

    test("survives any outage once the server has accepted it", async () => {
      upstream.on("subscriptions/listen", (exchange) => {
        exchange.stream().send(hello);
      });
      const host = start({ timeouts: { listMs: 50 } });
      void listen(host, "l");
      await host.frame(({ method }) => method === hello.method);

      await upstream.stop();
      await new Promise((done) => setTimeout(done, 100));
      await upstream.start();
      await upstream.seen("subscriptions/listen", 2);

      expect(host.frames.filter(({ id }) => id === "l")).toEqual([]);
    });
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createHttpClient } from "../../bridge/src/http/http-client.js";
import {
  modernMeta,
  type ProxyStart,
  type RunningProxy,
  startProxy,
  tokensFrom,
} from "../support/bridge-proxy.js";
import { type Handler, startUpstream, type Upstream } from "../support/bridge-upstream.js";

const timeouts = { firstRetryMs: 10, maxRetryMs: 50, maxBackgroundRetryMs: 1000 };

describe("limits on requests to the server", () => {
  let upstream: Upstream;
  let hosts: RunningProxy[];

  beforeEach(async () => {
    upstream = await startUpstream();
    hosts = [];
  });
  afterEach(async () => {
    for (const host of hosts) await host.stop();
    await upstream.stop();
  });

  function start(options: ProxyStart = {}): RunningProxy {
    const host = startProxy(upstream.url, {
      ...options,
      timeouts: { ...timeouts, ...options.timeouts },
    });
    hosts.push(host);
    return host;
  }

  const endAtOnce: Handler = (exchange) => {
    exchange.stream().end();
  };

  test.each([
    ["a page", 200, "text/html", "<p>Welcome</p>", '"it is text/html"'],
    ["nothing", 202, "text/plain", "", '"it is empty"'],
  ])("reports %s instead of an initialize answer, once per call", async (...page) => {
    const [, status, type, body, words] = page;
    upstream.on("initialize", (exchange) => {
      exchange.status(status, { "content-type": type }, body);
    });
    const host = start();
    await host.initialize();

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "server_refused" });
    expect(error?.message).toContain(words);
    expect(upstream.of("initialize").length).toBeLessThan(10);
  });

  test("limits retries of a reading call whose stream keeps breaking", async () => {
    upstream.on("tools/call", (exchange) => {
      const stream = exchange.stream();
      stream.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } });
      stream.end();
    });
    const host = start({ settings: { timeoutMs: 500 }, timeouts: { maxRetryMs: 400 } });
    await host.request("tools/list");

    const { error } = await host.call("read_thing");

    expect(error?.data).toMatchObject({ code: "server_unreachable" });
    expect(upstream.of("tools/call").length).toBeLessThan(10);
  });

  test.each(["subscriptions/listen", "GET"])(
    "backs off on %s when its stream ends immediately",
    async (what) => {
      upstream.on(what, endAtOnce);
      const host = start();
      const begun = performance.now();

      if (what === "GET") await host.initialize();
      else void host.request(what, { _meta: modernMeta }, "sub");
      await upstream.seen(what, 6);

      expect(performance.now() - begun).toBeGreaterThan(10 + 20 + 40 + 80 + 160 - 10);
    },
  );

  test("never resends an unknown method or an answer", async () => {
    for (const what of ["custom/do", "response"]) {
      upstream.once(what, ({ reset }) => {
        reset();
      });
    }
    const host = start();

    const { error } = await host.request("custom/do");
    host.send({ jsonrpc: "2.0", id: "of-the-server", result: {} });
    await host.proxy.drain(5000);

    expect(error?.data).toMatchObject({ code: "outcome_unknown" });
    expect(upstream.of("custom/do")).toHaveLength(1);
    expect(upstream.of("response")).toHaveLength(1);
  });

  test.each(["prompts/get", "resources/subscribe", "completion/complete"])(
    "resends %s when its answer is lost",
    async (method) => {
      upstream.once(method, ({ reset }) => {
        reset();
      });
      upstream.on(method, ({ result }) => {
        result({ second: true });
      });
      const host = start();

      const answer = await host.request(method);

      expect(answer.result).toEqual({ second: true });
    },
  );

  test("limits retries even if the server asks for no wait", async () => {
    upstream.on("tools/call", ({ status }) => {
      status(429, { "retry-after": "0" });
    });
    const host = start({ settings: { timeoutMs: 400 } });

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "server_busy" });
    expect(upstream.of("tools/call").length).toBeLessThan(20);
  });

  test("does not treat a wait of months as none", async () => {
    upstream.on("initialize", async ({ status }) => {
      await host.frame(({ id }) => id === "r1");
      status(503, { "retry-after": "9999999" });
    });
    const host = start({ timeouts: { initializeMs: 1 } });

    await host.initialize();
    await new Promise((done) => setTimeout(done, 100));

    expect(upstream.of("initialize").length).toBeLessThan(5);
  });

  test("limits retries of a stream that asks for immediate resumption", async () => {
    upstream.on("tools/call", (exchange) => {
      const stream = exchange.stream();
      stream.send("", { id: "e1", retry: 0 });
      stream.end();
    });
    upstream.on("GET", endAtOnce);
    const host = start({ settings: { timeoutMs: 400 } });

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "outcome_unknown" });
    expect(upstream.of("GET").length).toBeLessThan(20);
  });

  test.each([
    [501, 1],
    [500, 4],
  ])("a reading call that gets status %i is sent %i times", async (status, times) => {
    upstream.on("tools/call", (exchange) => {
      exchange.status(status);
    });
    const host = start();
    await host.request("tools/list");

    const { error } = await host.call("read_thing");

    expect(error?.message).toBe(
      `The server failed with status ${status}. It is safe to try again.`,
    );
    expect(upstream.of("tools/call")).toHaveLength(times);
  });

  test.each([307, 308])("follows status %i to another path of the server", async (status) => {
    upstream.once("tools/call", (exchange) => {
      exchange.status(status, { location: "/mcp/" });
    });
    const host = start();

    const answer = await host.call("add_thing", { a: 1 });

    expect(answer.result).toEqual({ content: [{ type: "text", text: '{"a":1}' }] });
    expect(upstream.of("tools/call").map(({ body }) => body)).toHaveLength(2);
  });

  test("names a redirect to another server and sends nothing there", async () => {
    const elsewhere = await startUpstream();
    upstream.once("tools/call", ({ status }) => {
      status(308, { location: `${elsewhere.url}?secret` });
    });
    const host = start({ tokens: tokensFrom({ token: "t1" }) });

    const { error } = await host.call("add_thing");
    await elsewhere.stop();

    expect(error?.message).toContain(`"${new URL(elsewhere.url).origin}"`);
    expect(elsewhere.exchanges).toEqual([]);
  });

  test("stops at circular redirects", async () => {
    upstream.on("ping", ({ status }) => {
      status(307, { location: "/mcp" });
    });

    const { error } = await start().request("ping");

    expect(error?.message).toContain("status 307");
    expect(upstream.of("ping").length).toBeLessThan(10);
  });

  test("closes a stream that the server leaves open after its answer", async () => {
    upstream.on("tools/call", (exchange) => {
      exchange.stream().send({ jsonrpc: "2.0", id: exchange.message.id, result: {} });
    });
    const host = start({ timeouts: { lingerMs: 20 } });

    const answer = await host.call("add_thing");

    expect(answer.result).toEqual({});
    await (
      await upstream.seen("tools/call")
    ).gone;
  });

  test("resumes a stream after a rejected token and a busy server", async () => {
    upstream.on("tools/call", (exchange) => {
      const stream = exchange.stream();
      stream.send("", { id: "e1" });
      stream.end();
    });
    for (const code of [401, 429, 503]) {
      upstream.once("GET", ({ status }) => {
        status(code);
      });
    }
    upstream.once("GET", (exchange) => {
      exchange.stream().send({ jsonrpc: "2.0", id: 9, result: { late: true } });
    });
    const host = start({ tokens: tokensFrom({ token: "old", newer: ["new"] }) });

    const answer = await host.call("add_thing", {}, 9);

    expect(answer.result).toEqual({ late: true });
    expect(upstream.of("GET").map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer new",
      "Bearer new",
      "Bearer new",
    ]);
  });

  test("a paused reader does not count as a silent server", async () => {
    upstream.on("ping", ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("a");
    });
    const http = createHttpClient({ environment: {}, caFile: undefined } as never);
    const answer = await http.request(upstream.url, {
      method: "POST",
      body: '{"method":"ping"}',
      silenceMs: 1000,
    });
    const heard: string[] = [];
    answer.body.setEncoding("utf8").on("data", (text: string) => heard.push(text));
    await new Promise((done) => answer.body.once("data", done));
    answer.body.pause();
    await new Promise((done) => setTimeout(done, 2000));
    (await upstream.seen("ping")).response.write("b");
    const lost = new Promise((done) => answer.body.once("error", done));

    answer.body.resume();
    await lost;
    http.close();

    expect(heard).toEqual(["a", "b"]);
  });
});

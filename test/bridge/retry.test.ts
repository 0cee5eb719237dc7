import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { modernMeta, type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { startUpstream, type Handler, type Upstream } from "../support/bridge-upstream.js";

const timeouts = { firstRetryMs: 10, maxRetryMs: 50 };

describe("delivery despite failures", () => {
  let upstream: Upstream;
  let host: RunningProxy;

  beforeEach(async () => {
    upstream = await startUpstream();
    host = startProxy(upstream.url, { timeouts });
    await host.request("tools/list");
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  /** Executes the tool, then fails to answer the first call. */
  function failOnceAfter(fail: Handler): void {
    upstream.once("tools/call", (exchange) => {
      upstream.executed.push(String(exchange.message.params?.["name"]));
      return fail(exchange);
    });
  }

  test("waits for a server that is briefly unreachable", async () => {
    await upstream.stop();
    // The idle connection must be closed first.
    await new Promise((done) => setTimeout(done, 50));
    const calling = host.call("add_thing");
    await new Promise((done) => setTimeout(done, 100));
    await upstream.start();

    const answer = await calling;

    expect(answer).toHaveProperty("result");
    expect(upstream.executed).toEqual(["add_thing"]);
  });

  test("reports a server that stays unreachable, and that nothing was done", async () => {
    const impatient = startProxy(upstream.url, { timeouts, settings: { timeoutMs: 200 } });
    await upstream.stop();

    const { error } = await impatient.call("add_thing");
    await impatient.stop();

    expect(error).toMatchObject({ code: -32000, data: { code: "server_unreachable" } });
    expect(error?.message).toContain("Nothing was done");
    expect(String(error?.data?.["request"])).toMatch(/^[\w-]{20,}$/);
  });

  test.each(["read_thing", "put_thing"])(
    "a connection that breaks before the answer of %s is retried",
    async (tool) => {
      failOnceAfter(({ reset }) => {
        reset();
      });

      const answer = await host.call(tool);

      expect(answer).toHaveProperty("result");
      expect(upstream.executed).toEqual([tool, tool]);
    },
  );

  test.each(["add_thing", "a_tool_never_listed"])(
    "a connection that breaks before the answer of %s is never retried",
    async (tool) => {
      failOnceAfter(({ reset }) => {
        reset();
      });

      const { error } = await host.call(tool);

      expect(error?.data).toMatchObject({ code: "outcome_unknown" });
      expect(error?.message).toContain("check before trying again");
      expect(upstream.executed).toEqual([tool]);
    },
  );

  test.each<[string, Handler]>([
    [
      "JSON",
      ({ response, reset }) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 500 });
        response.write('{"jsonrpc":"2.0",', reset);
      },
    ],
    [
      "events",
      (exchange) => {
        const stream = exchange.stream();
        stream.send({ jsonrpc: "2.0", method: "notifications/message", params: {} });
        exchange.response.write("data: {", stream.reset);
      },
    ],
  ])("a connection that breaks within %s retries only reading tools", async (_, fail) => {
    failOnceAfter(fail);
    const read = await host.call("read_thing");
    failOnceAfter(fail);

    const add = await host.call("add_thing");

    expect(read).toHaveProperty("result");
    expect(add.error?.data).toMatchObject({ code: "outcome_unknown" });
    expect(upstream.executed).toEqual(["read_thing", "read_thing", "add_thing"]);
  });

  test("retries status 500 for a reading tool, but not for a writing one", async () => {
    const fail: Handler = ({ status }) => {
      status(500, { "content-type": "text/html" }, "<h1>Oops</h1>");
    };
    failOnceAfter(fail);
    const read = await host.call("read_thing");
    failOnceAfter(fail);

    const add = await host.call("add_thing");

    expect(read).toHaveProperty("result");
    expect(add.error?.message).toBe(
      "The server failed with status 500. The server may or may not have done it: check before trying again.",
    );
    expect(upstream.executed).toEqual(["read_thing", "read_thing", "add_thing"]);
  });

  test("retries any call after 429, once the requested wait is over", async () => {
    upstream.once("tools/call", ({ status }) => {
      status(429, { "retry-after": "1" });
    });
    const started = performance.now();

    const answer = await host.call("add_thing");

    expect(answer).toHaveProperty("result");
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(upstream.executed).toEqual(["add_thing"]);
  });

  test("reports a wait that exceeds the time left immediately", async () => {
    upstream.once("tools/call", ({ status }) => {
      status(429, { "retry-after": "3600" });
    });

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "server_busy" });
    expect(error?.message).toContain("3600 s");
  });

  test("retries 503 for a reading tool only", async () => {
    upstream.once("tools/call", ({ status }) => {
      status(503, { "retry-after": new Date(Date.now() - 1000).toUTCString() });
    });
    const read = await host.call("read_thing");
    upstream.once("tools/call", ({ status }) => {
      status(503, { "retry-after": "0" });
    });

    const add = await host.call("add_thing");

    expect(read).toHaveProperty("result");
    expect(add.error?.data).toMatchObject({ code: "outcome_unknown" });
  });

  test("after silence, reading tools report no answer and writing tools an unknown outcome", async () => {
    upstream.on("tools/call", () => undefined);
    const impatient = startProxy(upstream.url, { timeouts, settings: { timeoutMs: 400 } });
    await impatient.request("tools/list");

    const [read, add] = await Promise.all([
      impatient.call("read_thing"),
      impatient.call("add_thing"),
    ]);
    await impatient.stop();

    expect(read.error).toMatchObject({ code: -32001, data: { code: "no_answer" } });
    expect(add.error).toMatchObject({ code: -32001, data: { code: "outcome_unknown" } });
  });

  test.each([200, 400])("LIM-23: times out on a trickling answer with status %i", async (code) => {
    upstream.on("tools/call", async ({ response }) => {
      response.writeHead(code, { "content-type": "application/json" });
      while (!response.destroyed) {
        response.write(" ");
        await new Promise((done) => setTimeout(done, 20));
      }
    });
    const impatient = startProxy(upstream.url, { timeouts, settings: { timeoutMs: 400 } });

    const { error } = await impatient.call("add_thing");
    await impatient.stop();

    expect(error?.data?.["code"]).toBe(code === 200 ? "outcome_unknown" : "server_refused");
  });

  test("an active stream can outlast the timeout", async () => {
    upstream.on("tools/call", async (exchange) => {
      const stream = exchange.stream();
      for (let n = 0; n < 10; n += 1) {
        stream.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: n } });
        await new Promise((done) => setTimeout(done, 70));
      }
      stream.result({});
    });
    const impatient = startProxy(upstream.url, { timeouts, settings: { timeoutMs: 500 } });

    const answer = await impatient.call("add_thing");
    await impatient.stop();

    expect(answer).toHaveProperty("result");
  });

  test("an error quotes the server's JSON, and nothing from a page", async () => {
    upstream.once("ping", ({ status }) => {
      status(403, { "content-type": "application/json" }, '{"error_description":"Wrong\\nhost"}');
    });
    upstream.once("ping", ({ status }) => {
      status(404, { "content-type": "text/html" }, "<p>Not here</p>");
    });
    upstream.once("ping", ({ status }) => {
      status(200, { "content-type": "text/html" }, "<p>Welcome</p>");
    });

    const host403 = await host.request("ping");
    const host404 = await host.request("ping");
    const page = await host.request("ping");

    expect(host403.error?.message).toBe(
      'The server refused the request with status 403: "Wrong host".',
    );
    expect(host404.error?.message).toBe(
      "The server refused the request with status 404. " +
        "Check the path of the address; at Fettle it ends in /mcp.",
    );
    expect(page.error?.message).toContain("text/html");
    expect(page.error?.message).not.toContain("Welcome");
  });

  test("passes on a rejection that answers the request unchanged", async () => {
    upstream.once("ping", ({ fail }) => {
      fail(-32022, "Unsupported protocol version", 400);
    });

    const answer = await host.request("ping", { _meta: modernMeta });

    expect(answer.error).toEqual({ code: -32022, message: "Unsupported protocol version" });
  });

  test("reports a request that is too large for the server", async () => {
    upstream.once("tools/call", ({ status }) => {
      status(413);
    });

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "too_large" });
  });

  test("resubscribes after a broken stream, and ends when cancelled", async () => {
    upstream.once("subscriptions/listen", (exchange) => {
      const stream = exchange.stream();
      stream.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      stream.end();
    });
    upstream.on("subscriptions/listen", (exchange) => {
      exchange.stream().send({ jsonrpc: "2.0", method: "notifications/prompts/list_changed" });
    });

    void host.request("subscriptions/listen", { _meta: modernMeta }, "sub");
    await host.frame(({ method }) => method === "notifications/prompts/list_changed");
    const second = await upstream.seen("subscriptions/listen", 2);
    host.notify("notifications/cancelled", { _meta: modernMeta, requestId: "sub" });
    await second.gone;

    expect(upstream.of("notifications/cancelled")).toEqual([]);
    expect(host.frames.map(({ id }) => id)).not.toContain("sub");
  });

  test("cancelling in a session notifies the server and drops its late answer", async () => {
    upstream.on("tools/call", () => undefined);
    upstream.on("notifications/cancelled", async ({ status }) => {
      const call = await upstream.seen("tools/call");
      call.result({ late: true });
      await call.gone;
      status(202);
    });
    void host.call("add_thing", {}, "c1");
    await upstream.seen("tools/call");

    host.notify("notifications/cancelled", { requestId: "c1", reason: "enough" });
    await upstream.seen("notifications/cancelled");
    await host.request("ping");

    expect(upstream.of("notifications/cancelled")[0]?.message.params).toMatchObject({
      reason: "enough",
    });
    expect(host.frames.map(({ id }) => id)).not.toContain("c1");
  });

  test("cancelling in the modern era ends the HTTP request and sends nothing", async () => {
    upstream.on("tools/call", () => undefined);
    void host.request("tools/call", { _meta: modernMeta, name: "add_thing" }, "c2");
    const { gone } = await upstream.seen("tools/call");

    host.notify("notifications/cancelled", { _meta: modernMeta, requestId: "c2" });
    await gone;

    expect(upstream.of("notifications/cancelled")).toEqual([]);
  });

  test("never sends a call that is cancelled while it waits", async () => {
    await upstream.stop();
    void host.call("add_thing", {}, "c3");
    host.notify("notifications/cancelled", { requestId: "c3" });
    await upstream.start();

    await host.request("ping");

    expect(upstream.of("tools/call")).toEqual([]);
    expect(host.frames.map(({ id }) => id)).not.toContain("c3");
  });
});

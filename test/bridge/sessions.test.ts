import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { startUpstream, type Upstream } from "../support/bridge-upstream.js";

const timeouts = { firstRetryMs: 10, maxRetryMs: 50, initializeMs: 5000 };

describe("sessions with a handshake", () => {
  let upstream: Upstream;
  let host: RunningProxy;

  beforeEach(async () => {
    upstream = await startUpstream({ sessions: true });
    host = startProxy(upstream.url, { timeouts });
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  test("holds back requests until the server has confirmed the initialization", async () => {
    let seenMeanwhile: string[] = [];
    upstream.on("notifications/initialized", async ({ status }) => {
      await new Promise((done) => setTimeout(done, 30));
      seenMeanwhile = upstream.exchanges.map(({ message }) => String(message.method));
      status(202);
    });
    await host.initialize({ protocolVersion: "2025-06-18" });

    await Promise.all([host.request("tools/list"), host.call("read_thing")]);

    expect(seenMeanwhile).toEqual(["initialize", "notifications/initialized"]);
    const { headers } = await upstream.seen("tools/call");
    expect(headers["mcp-protocol-version"]).toBe("2025-06-18");
    expect(upstream.sessions).toContain(headers["mcp-session-id"]);
    expect(upstream.of("initialize")[0]?.headers).not.toHaveProperty("mcp-session-id");
    expect(upstream.of("initialize")[0]?.headers).not.toHaveProperty("mcp-protocol-version");
  });

  test("sends the server's chosen protocol version in the headers", async () => {
    const older = await startUpstream({ protocolVersion: "2025-03-26" });
    const other = startProxy(older.url, { timeouts });

    const answer = await other.initialize();
    await other.request("ping");
    await other.stop();
    await older.stop();

    expect(answer.result?.["protocolVersion"]).toBe("2025-03-26");
    expect(older.of("ping")[0]?.headers["mcp-protocol-version"]).toBe("2025-03-26");
  });

  test("reopens a lost session once for all calls, without losing or repeating any", async () => {
    await host.initialize();
    await host.request("ping");
    upstream.sessions.clear();

    const answers = await Promise.all([
      host.call("add_thing"),
      host.call("add_thing"),
      host.call("add_thing"),
    ]);

    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
    expect(upstream.executed).toHaveLength(3);
    expect(upstream.of("initialize").map(({ body }) => body)).toEqual([
      upstream.of("initialize")[0]?.body,
      upstream.of("initialize")[0]?.body,
    ]);
    expect(upstream.of("notifications/initialized")).toHaveLength(2);
    expect(host.frames.filter(({ result }) => result?.["serverInfo"])).toHaveLength(1);
  });

  test("reconnects to a restarted server without the host's help", async () => {
    await host.initialize();
    await host.request("ping");
    await upstream.stop();
    await new Promise((done) => setTimeout(done, 50));
    const calling = host.call("add_thing");
    await upstream.start();

    const answer = await calling;

    expect(answer).toHaveProperty("result");
    expect(upstream.executed).toEqual(["add_thing"]);
  });

  test("treats status 400 about the session as a lost session", async () => {
    await host.initialize();
    upstream.once("tools/call", ({ status }) => {
      const error = { code: -32000, message: "Bad Request: No valid session ID provided" };
      status(400, {}, JSON.stringify({ jsonrpc: "2.0", id: null, error }));
    });

    const answer = await host.call("add_thing");

    expect(answer).toHaveProperty("result");
    expect(upstream.of("initialize")).toHaveLength(2);
  });

  test("reports a session that is lost again immediately", async () => {
    await host.initialize();
    upstream.on("tools/call", ({ status }) => {
      status(404);
    });

    const { error } = await host.call("add_thing");

    expect(error?.message).toContain("The server refused the request with status 404.");
    expect(upstream.of("tools/call")).toHaveLength(2);
  });

  test("ends the session when the host is done", async () => {
    await host.initialize();
    await host.request("ping");
    const [session] = upstream.sessions;

    await host.proxy.drain(1000);
    await host.proxy.close();

    expect(upstream.of("DELETE").map(({ headers }) => headers["mcp-session-id"])).toEqual([
      session,
    ]);
    expect(upstream.sessions.size).toBe(0);
  });

  test("does not wait long for a server that ignores the session's end", async () => {
    upstream.on("DELETE", () => undefined);
    await host.initialize();
    await host.request("ping");
    const started = performance.now();

    await host.proxy.close();

    expect(performance.now() - started).toBeLessThan(3000);
  });

  test("delivers unsolicited server messages, also after a break", async () => {
    upstream.once("GET", (exchange) => {
      const stream = exchange.stream();
      const message = { jsonrpc: "2.0", method: "notifications/message", params: { n: 1 } };
      stream.send(message, { id: "g1", retry: 20 });
      stream.end();
    });
    upstream.on("GET", (exchange) => {
      const message = { jsonrpc: "2.0", method: "notifications/message", params: { n: 2 } };
      exchange.stream().send(message);
    });

    await host.initialize();
    await host.frame(({ params }) => params?.["n"] === 2);

    const [first, second] = upstream.of("GET");
    expect(first?.headers).toMatchObject({
      accept: "text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      "mcp-session-id": [...upstream.sessions][0],
    });
    expect(second?.headers["last-event-id"]).toBe("g1");
  });

  test("reopens a session lost while the host is idle and restores its state", async () => {
    upstream.once("GET", (exchange) => {
      exchange.stream();
    });
    for (const method of ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"]) {
      upstream.on(method, ({ result }) => {
        result({});
      });
    }
    await host.initialize();
    const listening = await upstream.seen("GET");
    await host.request("resources/subscribe", { uri: "thing:1" }, "s1");
    await host.request("resources/subscribe", { uri: "thing:2" });
    await host.request("resources/unsubscribe", { uri: "thing:2" });
    await host.request("logging/setLevel", { level: "debug" });
    const [lost] = upstream.sessions;
    upstream.sessions.clear();

    listening.response.end();
    const subscribed = await upstream.seen("resources/subscribe", 3);
    const levelled = await upstream.seen("logging/setLevel", 2);
    await host.frame(({ method }) => method === "notifications/tools/list_changed");
    await host.proxy.drain(1000);

    const [session] = upstream.sessions;
    expect(session).not.toBe(lost);
    for (const { headers } of [subscribed, levelled]) {
      expect(headers["mcp-session-id"]).toBe(session);
    }
    expect(subscribed.body).toBe(upstream.of("resources/subscribe")[0]?.body);
    expect(upstream.of("resources/subscribe")).toHaveLength(3);
    expect(host.frames.filter(({ id }) => id === "s1")).toHaveLength(1);
    expect(host.frames.map(({ method }) => method)).not.toContain(
      "notifications/prompts/list_changed",
    );
  });

  test("requests the server's stream only once if the server has none", async () => {
    await host.initialize();
    await upstream.seen("GET");

    await host.request("ping");
    await host.request("ping");

    expect(upstream.of("GET")).toHaveLength(1);
  });

  test("BRG-05 a 404 for a missing stream does not count as a lost session", async () => {
    upstream.on("GET", ({ status }) => {
      status(404);
    });
    await host.initialize();
    await upstream.seen("GET");

    await new Promise((done) => setTimeout(done, 100));

    expect((await host.request("ping")).result).toEqual({});
    expect(upstream.of("initialize")).toHaveLength(1);
    expect(upstream.of("GET")).toHaveLength(1);
  });

  test("BRG-05 backs off when the server loses each session immediately", async () => {
    upstream.on("GET", (exchange) => {
      if (upstream.of("GET").length % 2 === 0) exchange.status(404);
      else exchange.stream().end();
    });
    await host.initialize();
    await upstream.seen("GET");

    await new Promise((done) => setTimeout(done, 600));

    expect(upstream.of("initialize").length).toBeLessThan(9);
  });

  test("passes on the server's refusal to initialize", async () => {
    upstream.on("initialize", ({ fail }) => {
      fail(-32602, "Unsupported protocol version", 400);
    });

    const answer = await host.initialize();
    const call = await host.call("add_thing");

    expect(answer.error).toEqual({ code: -32602, message: "Unsupported protocol version" });
    expect(call.error?.message).toContain('"Unsupported protocol version"');
  });
});

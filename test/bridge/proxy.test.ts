import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { modernMeta, type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { startUpstream, type Upstream } from "../support/bridge-upstream.js";

describe("proxy frames", () => {
  let upstream: Upstream;
  let host: RunningProxy;

  beforeEach(async () => {
    upstream = await startUpstream();
    host = startProxy(upstream.url);
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  test("passes requests and answers on byte for byte", async () => {
    const line = '{"id":  7,"jsonrpc":"2.0","method":"ping","later":{"a":1.0}}';
    upstream.on("ping", ({ status }) => {
      const body = '{"jsonrpc":"2.0",\r\n "id":7,\n "result":{"x":1.50},"extra":[ ]}';
      status(200, { "content-type": "application/json; charset=utf-8" }, body);
    });

    host.send(line);
    await host.frame(({ id }) => id === 7);

    expect(upstream.of("ping")[0]?.body).toBe(line);
    expect(host.lines).toEqual(['{"jsonrpc":"2.0",   "id":7,  "result":{"x":1.50},"extra":[ ]}']);
  });

  test("keeps the type of ids", async () => {
    const answers = await Promise.all([
      host.request("ping", undefined, 1),
      host.request("ping", undefined, "1"),
      host.request("ping", undefined, 0),
    ]);

    expect(answers.map(({ id }) => id)).toEqual([1, "1", 0]);
  });

  test("answers invalid JSON and invalid messages with errors, and keeps working", async () => {
    host.send("{nonsense");
    host.send("17");
    host.send({ jsonrpc: "2.0", id: null, method: "ping" });

    const answer = await host.request("ping");

    expect(answer.result).toEqual({});
    expect(host.frames.slice(0, 3)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  test("rejects a second request with an id that is still open", async () => {
    upstream.once("ping", () => undefined);
    host.send({ jsonrpc: "2.0", id: 1, method: "ping" });

    const answer = await host.request("ping", undefined, 1);

    expect(answer.error).toMatchObject({ code: -32600 });
  });

  test("sends a batch as one and returns its answers one by one", async () => {
    const batch =
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"x"}]';
    const answers =
      '[{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}, {"jsonrpc":"2.0","id":1,"result":{}}]';
    upstream.on("batch", ({ status }) => {
      status(200, { "content-type": "application/json" }, answers);
    });

    host.send(batch);
    await expect.poll(() => host.lines.length).toBe(2);

    expect(upstream.of("batch")[0]?.body).toBe(batch);
    expect(host.frames).toEqual(JSON.parse(answers));
  });

  test("rejects a batch without a message", async () => {
    host.send("[]");
    host.send('[1,{},"x"]');
    await expect.poll(() => host.frames.length).toBe(2);

    expect(host.frames).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
    expect(upstream.exchanges).toEqual([]);
  });

  test("answers a batch request whose answer is missing", async () => {
    upstream.on("batch", ({ status }) => {
      const body = '[{"jsonrpc":"2.0","id":1,"result":{}}]';
      status(200, { "content-type": "application/json" }, body);
    });

    host.send([
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: 2, method: "ping" },
    ]);
    await host.frame(({ id }) => id === 2);

    expect(host.frames.flat()).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: {} },
    ]);
  });

  test("answers 200 concurrent calls in any order", async () => {
    let answerFirst: () => void = () => undefined;
    const lastIsAnswered = new Promise<void>((resolve) => (answerFirst = resolve));
    upstream.on("tools/call", async (exchange) => {
      const { n } = exchange.message.params?.["arguments"] as { n: number };
      if (n === 0) await lastIsAnswered;
      exchange.result({ n });
      if (n === 199) setImmediate(answerFirst);
    });

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => host.call("add_thing", { n }, n)),
    );

    expect(answers.map(({ result }) => result?.["n"])).toEqual(answers.map(({ id }) => id));
    expect(host.frames).toHaveLength(200);
    expect(host.frames[0]?.id).not.toBe(0);
  });

  test("a modern message carries its version, method and name in headers", async () => {
    await host.request("tools/call", { _meta: modernMeta, name: "Prüfung", arguments: {} });
    await host.request("resources/read", { _meta: modernMeta, uri: "thing://1" });

    const [call] = upstream.of("tools/call");
    const [read] = upstream.of("resources/read");
    expect(call?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "=?base64?UHLDvGZ1bmc=?=",
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    });
    expect(read?.headers).toMatchObject({ "mcp-name": "thing://1" });
  });

  test("repeats declared tool parameters in headers in the modern era only", async () => {
    const inputSchema = {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    };
    upstream.on("tools/list", ({ result }) => {
      result({ resultType: "complete", tools: [{ name: "t", inputSchema }] });
    });
    const params = { name: "t", arguments: { region: "eu" } };

    await host.request("tools/list", { _meta: modernMeta });
    await host.request("tools/call", { _meta: modernMeta, ...params });
    await host.request("tools/call", params);

    const [modern, legacy] = upstream.of("tools/call");
    expect(modern?.headers["mcp-param-region"]).toBe("eu");
    expect(legacy?.headers).not.toHaveProperty("mcp-param-region");
    expect(legacy?.headers).not.toHaveProperty("mcp-method");
  });

  test("sends extra headers with every request, each with a different request id", async () => {
    const other = startProxy(upstream.url, { settings: { headers: [["X-Team", "blue"]] } });

    await other.request("ping");
    await other.request("ping");
    await other.stop();

    const [first, second] = upstream.of("ping");
    expect(first?.headers["x-team"]).toBe("blue");
    expect(first?.headers["x-request-id"]).not.toBe(second?.headers["x-request-id"]);
  });

  test("passes a server's request to the host, and the answer back", async () => {
    upstream.on("tools/call", async (exchange) => {
      const stream = exchange.stream();
      stream.send({ jsonrpc: "2.0", id: "s1", method: "elicitation/create", params: { a: 1 } });
      const answer = await upstream.seen("response");
      stream.result({ got: answer.message.result });
    });

    const calling = host.call("add_thing");
    const asked = await host.frame(({ method }) => method === "elicitation/create");
    host.send({ jsonrpc: "2.0", id: "s1", result: { action: "decline" } });
    const answer = await calling;

    expect(asked).toMatchObject({ id: "s1", params: { a: 1 } });
    expect(answer.result).toEqual({ got: { action: "decline" } });
  });

  test("a delayed notification holds up the next ones only briefly", async () => {
    const quick = startProxy(upstream.url, { timeouts: { notificationOrderMs: 10 } });
    upstream.on("notifications/a", () => undefined);

    quick.notify("notifications/a");
    quick.notify("notifications/b");
    await upstream.seen("notifications/b");
    // On a slow machine its connection may be second.
    await upstream.seen("notifications/a");
    await quick.stop();

    expect(upstream.of("notifications/a")).toHaveLength(1);
  });

  test("sends notifications in the host's order", async () => {
    let seenMeanwhile = 0;
    upstream.once("notifications/progress", async ({ status }) => {
      await new Promise((done) => setTimeout(done, 30));
      seenMeanwhile = upstream.exchanges.length;
      status(202);
    });

    host.notify("notifications/progress", { progressToken: 1, progress: 1 });
    host.notify("notifications/progress", { progressToken: 1, progress: 2 });
    host.notify("notifications/roots/list_changed");
    await upstream.seen("notifications/roots/list_changed");

    const order = upstream.exchanges.map(({ message }) => message.params?.["progress"]);
    expect(order).toEqual([1, 2, undefined]);
    expect(seenMeanwhile).toBe(1);
  });

  test("waits for open calls at the end, and answers the rest after a timeout", async () => {
    upstream.on("tools/call", async (exchange) => {
      if (exchange.message.params?.["name"] === "add_thing") return;
      await new Promise((done) => setTimeout(done, 50));
      exchange.result({});
    });
    const quick = host.call("read_thing");
    const never = host.call("add_thing");

    await upstream.seen("tools/call", 2);
    await host.proxy.drain(150);

    expect(await quick).toHaveProperty("result");
    expect((await never).error?.data).toMatchObject({ code: "outcome_unknown" });
  });
});

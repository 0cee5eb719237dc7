import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { startUpstream, type Upstream } from "../support/bridge-upstream.js";

const mebibyte = 1024 * 1024;

describe("server answers", () => {
  let upstream: Upstream;
  let host: RunningProxy;

  beforeEach(async () => {
    upstream = await startUpstream();
    // A busy machine needs time for 40 MiB.
    const settings = { timeoutMs: 60_000 };
    host = startProxy(upstream.url, { settings, timeouts: { firstRetryMs: 10 } });
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  test("delivers earlier stream messages before the answer", async () => {
    upstream.on("tools/call", (exchange) => {
      const stream = exchange.stream();
      exchange.response.write(": a comment\n\nevent: other\ndata: not a message\n\n");
      stream.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } });
      stream.result({ done: true });
    });

    await host.call("add_thing", {}, 1);

    expect(host.frames).toEqual([
      { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } },
      { jsonrpc: "2.0", id: 1, result: { done: true } },
    ]);
  });

  test("joins a message with several data lines into one line", async () => {
    upstream.on("ping", (exchange) => {
      exchange.stream().send('{"jsonrpc":"2.0",\n"id":5,\n"result":{}}');
    });

    await host.request("ping", undefined, 5);

    expect(host.lines).toEqual(['{"jsonrpc":"2.0", "id":5, "result":{}}']);
  });

  test("keeps characters that are split between packets intact", async () => {
    upstream.on("ping", async ({ response }) => {
      const bytes = Buffer.from('data: {"jsonrpc":"2.0","id":6,"result":{"text":"Grüße 🔧"}}\n\n');
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });

    const answer = await host.request("ping", undefined, 6);

    expect(answer.result).toEqual({ text: "Grüße 🔧" });
  });

  test.each(["application/json", "text/event-stream"])(
    "delivers 40 MiB of %s whole",
    async (type) => {
      const text = "x".repeat(40 * mebibyte);
      upstream.on("tools/call", (exchange) => {
        if (type === "application/json") exchange.result({ text });
        else exchange.stream().result({ text });
      });

      const answer = await host.call("read_thing");

      expect((answer.result?.["text"] as string).length).toBe(text.length);
    },
  );

  test("delivers a repeated answer only once", async () => {
    upstream.on("ping", (exchange) => {
      const stream = exchange.stream();
      stream.send({ jsonrpc: "2.0", id: 8, result: { n: 1 } });
      stream.send({ jsonrpc: "2.0", id: 8, result: { n: 2 } });
      stream.send({ jsonrpc: "2.0", id: "never asked", result: {} });
      stream.send({ jsonrpc: "2.0", method: "notifications/message" });
      stream.end();
    });

    host.send({ jsonrpc: "2.0", id: 8, method: "ping" });
    await host.frame(({ method }) => method === "notifications/message");

    expect(host.frames.map(({ id, result }) => ({ id, result }))).toEqual([
      { id: 8, result: { n: 1 } },
      { id: undefined, result: undefined },
    ]);
  });

  test("resumes a stream that ends before its answer, without repeating the call", async () => {
    upstream.on("tools/call", (exchange) => {
      upstream.executed.push("add_thing");
      const stream = exchange.stream();
      stream.send("", { id: "e1", retry: 200 });
      stream.end();
    });
    upstream.once("GET", (exchange) => {
      const stream = exchange.stream();
      stream.send({ jsonrpc: "2.0", method: "notifications/message" }, { id: "e2" });
      stream.end();
    });
    upstream.once("GET", (exchange) => {
      exchange.stream().send({ jsonrpc: "2.0", id: 9, result: { late: true } }, { id: "e3" });
    });
    const started = performance.now();

    const answer = await host.call("add_thing", {}, 9);

    expect(answer.result).toEqual({ late: true });
    expect(upstream.of("GET").map(({ headers }) => headers["last-event-id"])).toEqual(["e1", "e2"]);
    expect(performance.now() - started).toBeGreaterThan(380);
    expect(upstream.executed).toEqual(["add_thing"]);
  });

  test("leaves a writing tool's outcome unknown when its stream can't be resumed", async () => {
    upstream.on("tools/call", (exchange) => {
      const stream = exchange.stream();
      stream.send("", { id: "e1", retry: 1 });
      stream.end();
    });

    const { error } = await host.call("add_thing");

    expect(upstream.of("GET")).toHaveLength(1);
    expect(error?.data).toMatchObject({ code: "outcome_unknown" });
  });
});

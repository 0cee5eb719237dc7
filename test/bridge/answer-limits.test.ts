import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { type Exchange, startUpstream, type Upstream } from "../support/bridge-upstream.js";

const maxAnswerBytes = 1024 * 1024;
const part = "x".repeat(64 * 1024);

async function writeEndlessly({ response, gone }: Exchange, type: string, text: string) {
  response.writeHead(200, { "content-type": type });
  while (!response.destroyed) {
    if (response.write(text)) await new Promise(setImmediate);
    else await Promise.race([gone, new Promise((done) => response.once("drain", done))]);
  }
}

describe("endless answers", () => {
  let upstream: Upstream;
  let host: RunningProxy;

  beforeEach(async () => {
    upstream = await startUpstream();
    host = startProxy(upstream.url, { maxAnswerBytes, timeouts: { firstRetryMs: 10 } });
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  test.each([
    ["JSON", "application/json", part],
    ["an event", "text/event-stream", `data: ${part}\n`],
    ["a line of an event", "text/event-stream", part],
  ])("LIM-15: cuts off %s at the limit and answers the call", async (_, type, text) => {
    let answered = 0;
    upstream.on("tools/call", async (exchange) => {
      answered += 1;
      await writeEndlessly(exchange, type, text);
    });

    const [read, write] = [await host.call("read_thing"), await host.call("add_thing")];

    expect(read.error?.message).toContain("longer than the 256 MiB");
    expect(write.error?.data).toMatchObject({ code: "outcome_unknown" });
    expect(answered).toBe(2);
    upstream.on("tools/call", upstream.plainly);
    expect((await host.call("read_thing")).error).toBeUndefined();
  });

  test("LIM-15: concurrent answers share the limit: only the longest is cut off", async () => {
    const pieces = new Map<unknown, number>();
    const read = (kibibytes: number) => host.call("read_thing", { kibibytes });
    upstream.on("tools/call", async ({ response, message, gone }) => {
      const { kibibytes } = (message.params as { arguments: { kibibytes: number } }).arguments;
      response.writeHead(200, { "content-type": "application/json" });
      response.write(" ".repeat(kibibytes * 1024));
      pieces.set(message.id, kibibytes);
      if (kibibytes > 500) await gone;
      else {
        await vi.waitFor(() => {
          expect(pieces.size).toBe(4);
        }, 60_000);
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: {} }));
      }
    });

    const [long, ...short] = await Promise.all([600, 200, 200, 200].map(read));

    expect(long?.error?.message).toContain("longer than the 256 MiB");
    expect(short.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  });

  test("LIM-15: a stream can exceed the limit in total with shorter events", async () => {
    upstream.on("tools/call", async (exchange) => {
      const stream = exchange.stream();
      for (let count = 0; count < 40; count += 1) {
        stream.send({ jsonrpc: "2.0", method: "notifications/message", params: { data: part } });
      }
      stream.result({ done: true });
    });

    expect((await host.call("add_thing")).result).toEqual({ done: true });
  });

  test("LIM-15: a resumed stream is limited too, and is not requested again", async () => {
    upstream.on("tools/call", (exchange) => {
      const stream = exchange.stream();
      stream.send("", { id: "e1", retry: 1 });
      stream.end();
    });
    upstream.on("GET", (exchange) => writeEndlessly(exchange, "text/event-stream", part));

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "outcome_unknown" });
    expect(upstream.of("GET")).toHaveLength(1);
  });
});

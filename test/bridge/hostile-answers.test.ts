import { isUtf8 } from "node:buffer";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isTooComplex, parseJson } from "../../bridge/src/common/json.js";
import { type ProxyStart, type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { type Exchange, startUpstream, type Upstream } from "../support/bridge-upstream.js";

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("JSON limits", () => {
  test("limits depth and number of values, ignoring brackets in strings", () => {
    expect(parseJson(nest(1000))).toEqual([expect.anything()]);
    expect(parseJson(nest(1001))).toBeUndefined();
    expect(parseJson(`{"a":${nest(1000)}}`)).toBeUndefined();
    expect(isTooComplex(`[${"[],".repeat(8 * 1024 * 512)}1]`)).toBe(true);
    expect(isTooComplex(`[${"[],".repeat(8 * 1024 * 500)}1]`)).toBe(false);
    const brackets = '"\\\\\\"'.padEnd(2000, "[{") + '"';
    expect(parseJson(`[${brackets},1]`)).toEqual([JSON.parse(brackets), 1]);
    expect(parseJson(`["\\\\",${nest(999)}]`)).toBeDefined();
    expect(parseJson('"'.padEnd(2000, "["))).toBeUndefined();
  });
});

describe("hostile answers", () => {
  let upstream: Upstream;
  let host: RunningProxy;
  const timeouts = { firstRetryMs: 10, maxRetryMs: 50, maxBackgroundRetryMs: 50 };

  function start(options: ProxyStart = {}): RunningProxy {
    host = startProxy(upstream.url, { ...options, timeouts: { ...timeouts, ...options.timeouts } });
    return host;
  }
  beforeEach(async () => {
    upstream = await startUpstream();
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  const answerDeeply =
    (type: string) =>
    ({ response, message }: Exchange) => {
      const result = `{"tools":${nest(20_000)}}`;
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`;
      const body = type === "application/json" ? text : `data: ${text}\n\n`;
      response.writeHead(200, { "content-type": type }).end(body);
    };

  test.each(["application/json", "text/event-stream"])(
    "an answer of 20,000 nested lists as %s fails only its own request",
    async (type) => {
      for (const what of ["tools/list", "tools/call"]) upstream.on(what, answerDeeply(type));
      start();

      const list = await host.request("tools/list");
      const call = await host.call("add_thing");

      expect(list.error?.data).toMatchObject({ code: "server_refused" });
      expect(call.error?.message).toContain("nested too deep");
      expect(call.error?.data).toMatchObject({ code: "outcome_unknown" });
      expect((await host.request("ping")).result).toEqual({});
    },
  );

  test("rejects deeply nested capabilities with an error for their request id", async () => {
    start();
    const params = `{"capabilities":{"a":${nest(20_000)}}}`;

    host.send(`{"jsonrpc":"2.0","id":7,"method":"initialize","params":${params}}`);
    const answer = await host.frame(({ id }) => id === 7);

    expect(answer.error?.message).toContain("nested too deep");
    expect((await host.initialize()).result).toBeDefined();
  });

  test.each([400, 401, 403, 404, 503])(
    "times out on status %i that claims to be a stream and trickles",
    async (status) => {
      upstream.on("tools/call", (exchange) => drip(exchange, status, "text/event-stream"));
      start({ settings: { timeoutMs: 300 } });

      const { error } = await host.call("add_thing");

      expect(error).toBeDefined();
    },
  );

  test("waits only for the head of a redirect, and closes its connection", async () => {
    upstream.once("ping", (exchange) => drip(exchange, 307, "text/plain", { location: "/mcp" }));
    start();

    expect((await host.request("ping")).result).toEqual({});

    await (
      await upstream.seen("ping")
    ).gone;
  });

  /** The bridge accepts 256 KiB. The server sends up to `max` characters. */
  async function callAnsweredInPieces(type: string, piece: string, max: number) {
    let sent = 0;
    upstream.on("tools/call", async ({ response }) => {
      response.writeHead(200, { "content-type": type });
      while (!response.destroyed && sent < max) {
        response.write(piece);
        sent += piece.length;
        await new Promise(setImmediate);
      }
      response.end();
    });
    start({ maxAnswerBytes: 256 * 1024 });
    const { error } = await host.call("add_thing");
    return { error, sent };
  }

  test.each([
    ["lines without text", "data:\n".repeat(5000)],
    ["pieces of two bytes", "é"],
  ])("%s in a stream count toward the limit by their memory use", async (_, text) => {
    const { error, sent } = await callAnsweredInPieces("text/event-stream", text, 1_000_000);

    expect(error?.message).toContain("longer than");
    expect(sent).toBeLessThan(200_000);
  });

  test("counts a JSON body in one-byte pieces by its memory use", async () => {
    const { error, sent } = await callAnsweredInPieces("application/json", " ", 100_000);

    expect(error?.message).toContain("longer than");
    expect(sent).toBeLessThan(50_000);
  });

  test("keeps reading a long-lived stream of small events and comments", async () => {
    upstream.on("tools/call", async ({ response, message }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let count = 0; count < 300; count += 1) {
        for (const piece of [": ping\r\n", "\r\n", ":\n\n", "data: 1\r", "\r"]) {
          response.write(piece);
        }
        await new Promise(setImmediate);
      }
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: {} })}\n\n`);
    });
    start({ maxAnswerBytes: 4096 });

    expect((await host.call("add_thing")).result).toEqual({});
  });

  test.each([
    ["an endless JSON body", "application/json"],
    ["an endless page", "text/html"],
  ])("does not request %s again in place of the session's stream", async (_, type) => {
    upstream.on("GET", (exchange) => drip(exchange, 200, type));
    start({ settings: { timeoutMs: 100 }, timeouts: { stableStreamMs: 50 } });

    await host.initialize();
    await (
      await upstream.seen("GET")
    ).gone;
    await sleep(300);

    expect(upstream.of("GET")).toHaveLength(1);
  });

  test("survives non-string values in place of strings, from server and host", async () => {
    const odd = { toString: 1, valueOf: 1 };
    upstream.on("initialize", ({ result }) => {
      result({ protocolVersion: odd, capabilities: {}, serverInfo: {} });
    });
    start({ settings: { readOnly: true } });

    await host.initialize();
    const { error } = await host.request("tools/call", { name: odd });
    host.notify("resources/unsubscribe", { uri: odd });
    host.send({ jsonrpc: "2.0", id: 8, method: odd });

    expect(error?.data).toMatchObject({ code: "read_only" });
    expect((await host.request("ping")).result).toEqual({});
  });

  test("passes invalid UTF-8 to the host as valid text", async () => {
    upstream.on("tools/call", ({ response, message }) => {
      const id = JSON.stringify(message.id);
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(Buffer.from(`{"jsonrpc":"2.0",\n"id":${id},"result":{"a":"\xff"}}`, "latin1"));
    });
    start();

    expect((await host.call("add_thing")).result).toEqual({ a: "\ufffd" });
    expect(isUtf8(Buffer.from(host.written.at(-1) ?? ""))).toBe(true);
  });

  test("does not send a protocol version with a line break as a header", async () => {
    upstream.on("initialize", ({ result }) => {
      result({ protocolVersion: "1\r\nx-evil: 1", capabilities: {}, serverInfo: {} });
    });
    start();

    await host.initialize();

    expect((await host.call("add_thing")).error).toBeUndefined();
    const { headers } = await upstream.seen("tools/call");
    expect(headers["mcp-protocol-version"]).toBeUndefined();
  });

  test.each([
    ["日本", "日本"],
    ["a\u0001b", undefined],
    ["x".repeat(5000), undefined],
  ])("returns an event id as UTF-8, or not at all", async (id, sentBack) => {
    upstream.on("GET", (exchange) => {
      exchange.stream().result({ late: true });
    });
    upstream.on("tools/call", (exchange) => {
      const stream = exchange.stream();
      stream.send("", { id: "first", retry: 1 });
      stream.send("", { id });
      stream.end();
    });
    start();

    void host.call("add_thing");

    const { headers } = await upstream.seen("GET");
    const bytes = Buffer.from(String(headers["last-event-id"]), "latin1");
    expect(bytes.toString("utf8")).toBe(sentBack ?? "first");
  });

  test.each(["9".repeat(400), "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "reports an endless wait as one day",
    async (wait) => {
      upstream.on("tools/call", ({ status }) => {
        status(429, { "retry-after": wait });
      });

      expect((await start().call("add_thing")).error?.message).toContain("again in 86400 s.");
    },
  );

  test("limits a small compressed answer by its decompressed size", async () => {
    upstream.on("tools/call", ({ response }) => {
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(8 * 1024 * 1024)));
    });
    start({ maxAnswerBytes: 1024 * 1024 });

    expect((await host.call("add_thing")).error?.message).toContain("longer than");
  });
});

/** Sends an endless body in small pieces. */
async function drip(
  { response }: Exchange,
  status: number,
  type: string,
  headers: Record<string, string> = {},
): Promise<void> {
  response.writeHead(status, { "content-type": type, ...headers });
  while (!response.destroyed) {
    response.write(":\n");
    await sleep(20);
  }
}

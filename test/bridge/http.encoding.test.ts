import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { acceptEncoding, createHttpClient } from "../../bridge/src/http/http-client.js";
import { testSettings } from "../support/bridge-context.js";
import { startProxy } from "../support/bridge-proxy.js";

describe("answer encoding", () => {
  const ends: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  function client() {
    const http = createHttpClient(testSettings());
    ends.push(http.close);
    return http;
  }

  async function serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  }

  test.each([
    ["json", "application/json", (text: string) => text],
    ["an event stream", "text/event-stream", (text: string) => `data: ${text}\n\n`],
  ])("passes %s on without its byte order mark and gzip", async (_, type, frame) => {
    const port = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { "content-encoding": "gzip", "content-type": type });
      response.end(gzipSync(`\ufeff${frame('{"jsonrpc":"2.0","id":7,"result":{"ok":true}}')}`));
    });
    const host = startProxy(`http://127.0.0.1:${port}/mcp`);
    ends.push(host.stop);

    await host.request("ping", {}, 7);

    expect(host.lines).toEqual(['{"jsonrpc":"2.0","id":7,"result":{"ok":true}}']);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("reads an answer in %s", async (encoding, compress) => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(compress("\ufeffplain text"));
    });
    const http = client();

    const answer = await http.request(`http://127.0.0.1:${port}/`, {
      method: "GET",
      silenceMs: 5000,
    });

    expect(await http.text(answer)).toBe("plain text");
  });

  test("limits the decompressed size of a small answer", async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(10_000_000)));
    });
    const http = client();

    const answer = await http.request(`http://127.0.0.1:${port}/`, {
      method: "GET",
      silenceMs: 5000,
    });

    await expect(http.text(answer)).rejects.toThrow("the answer is too long");
  });

  test("delivers compressed events one by one, and fails on a broken connection", async () => {
    let broken: () => void = () => undefined;
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/event-stream" });
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      gzip.write("data: 1\n\n");
      broken = () => response.destroy();
    });

    const { body } = await client().request(`http://127.0.0.1:${port}/`, {
      method: "GET",
      silenceMs: 0,
    });
    const [first] = (await once(body, "data")) as [Buffer];
    broken();

    expect(first.toString()).toBe("data: 1\n\n");
    await expect(once(body, "close")).rejects.toThrow();
  });

  test.each([
    ["https://fettle.example.com/mcp", { "accept-encoding": "gzip" }],
    ["http://localhost:3000/mcp", {}],
    ["http://127.0.0.1:3000/mcp", {}],
  ])("for %s sends the headers %o", (url, headers) => {
    expect(acceptEncoding(new URL(url))).toEqual(headers);
  });
});

import { readFileSync } from "node:fs";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { createServer } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import {
  createFetch,
  readDocument,
  type DocumentNetwork,
} from "../../../server/src/oauth/read-document.js";
import { localNetwork } from "../../support/client-documents.js";
import { findFreePort } from "../../support/free-port.js";

const pem = readFileSync(new URL("../../support/apps-example.pem", import.meta.url), "utf8");

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

async function listen(started: Server): Promise<URL> {
  server = started;
  await new Promise<void>((ready) => started.listen(0, "127.0.0.1", ready));
  return new URL(`https://apps.example:${(started.address() as AddressInfo).port}/x`);
}

/**
 * Answers with `start`, then with `piece` until the client disconnects. `taken` returns the
 * characters written.
 */
async function pour(start: string, piece: string): Promise<{ url: URL; taken: () => number }> {
  let taken = 0;
  const url = await listen(
    createServer({ key: pem, cert: pem }, (socket) => {
      sockets.add(socket.on("error", () => undefined));
      const more = () => {
        while (!socket.destroyed && socket.write(piece)) taken += piece.length;
        taken += piece.length;
        socket.once("drain", more);
      };
      socket.once("data", () => {
        socket.write(start);
        more();
      });
    }),
  );
  return { url, taken: () => taken };
}

const readers: [string, (url: URL, network?: DocumentNetwork) => Promise<unknown>][] = [
  ["a document", (url, network = localNetwork) => readDocument(url, network)],
  ["a provider", (url, network = localNetwork) => createFetch(network)(url.href)],
];

describe.each(readers)("%s read from a user-supplied address", (_, read) => {
  const head =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n";
  test.each([
    ["announcements", "", "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"],
    ["notes on pieces", `${head}\r\n1`, ";a=b"],
    ["pieces of a byte", `${head}\r\n`, "1\r\n \r\n"],
  ])("CIMD-13 gives up when its %s never end", async (__, start, piece) => {
    const { url, taken } = await pour(start, piece.repeat(2000));
    await expect(read(url)).rejects.toThrow(/terminated|failed|too long|max size/);
    expect(taken()).toBeLessThan(5_000_000);
  });

  test("CIMD-13 gives up after five seconds when the server stays silent", async () => {
    const url = await listen(
      createTcpServer((socket) => sockets.add(socket.on("error", () => undefined))),
    );
    const began = performance.now();
    await expect(read(url)).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(7500);
  });

  test("tries only a few addresses of a host name with thousands", async () => {
    const addresses = Array.from({ length: 1000 }, (_, at) => `127.0.${at >> 8}.${at & 255}`);
    const network = { ...localNetwork, resolve: async () => addresses, isAllowed: () => true };
    const closed = new URL(`https://apps.example:${await findFreePort()}/x`);
    const failure = (await read(closed, network).catch((error: unknown) => error)) as Error;
    const tried = "errors" in failure ? failure.errors : (failure.cause as AggregateError).errors;
    expect(tried).toHaveLength(16);
  });
});

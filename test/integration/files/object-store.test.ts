import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import {
  openObjectStore,
  type ObjectStore,
} from "../../../server/src/domain/files/object-store.js";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A client of an S3-compatible store that answers with this listener. */
async function storeAt(answer: RequestListener, maxSilenceMs?: number): Promise<ObjectStore> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const settings = { bucket: "files", region: "us-east-1", endpoint, credentials };
  const store = await openObjectStore(settings, maxSilenceMs);
  ends.push(() => {
    store.close();
    server.closeAllConnections();
    server.close();
  });
  return store;
}

describe("object storage", () => {
  test("LIM-54 times out for every operation when it doesn't respond", async () => {
    const store = await storeAt((request) => request.resume(), 200);
    const away = { code: "unavailable" };
    await expect(store.put("a/b", Buffer.from("content"), "text/plain")).rejects.toMatchObject(
      away,
    );
    await expect(store.get("a/b")).rejects.toMatchObject(away);
    await expect(store.remove("a/b")).rejects.toMatchObject(away);
  });

  test("aborts a file when it stops in the middle", async () => {
    const store = await storeAt((_, response) => {
      response.writeHead(200, { "content-length": 100_000 }).write("the beginning");
    }, 200);
    const content = await store.get("a/b");
    await expect(content.toArray()).rejects.toThrow();
  });

  test("LIM-54 serves other readers beside many slow ones", async () => {
    const store = await storeAt((_, response) => response.writeHead(200).end(Buffer.alloc(1e7)));
    const slow: Readable[] = [];
    for (let count = 0; count < 60; count += 1) slow.push(await store.get("a/b"));
    const content = Buffer.concat((await (await store.get("a/c")).toArray()) as Buffer[]);
    expect(content.length).toBe(1e7);
    for (const one of slow) one.destroy();
  });
});

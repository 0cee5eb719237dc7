import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { isLocal } from "../common/server-address.js";

/** On this computer, compressing costs more than it saves. */
export function acceptEncoding(url: URL): { "accept-encoding"?: string } {
  return isLocal(url) ? {} : { "accept-encoding": "gzip" };
}

/** The body without its encoding; some servers compress although nobody asked. */
export function decode(answer: IncomingMessage): Readable | Promise<Readable> {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return encoding === "" || encoding === "identity" ? answer : decompress(answer, encoding);
}

async function decompress(answer: IncomingMessage, encoding: string): Promise<Readable> {
  const { createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  const create = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[encoding];
  // Whoever reads it says that it makes no sense, or gets the reason by its "error".
  return create === undefined ? answer : pipeline(answer, create(), () => undefined);
}

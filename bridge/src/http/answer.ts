import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { isLocal } from "../common/server-address.js";

/** Statuses of a server that may do better in a moment; every other one says the same next time. */
export const transientStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** More than that is no wait, and no number that a person should read. */
const maxRetryAfterMs = 24 * 3_600_000;

/** In milliseconds from now, a day at most; the header holds seconds or a date (RFC 9110 §10.2.3). */
export function parseRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxRetryAfterMs);
}

/** Memory that answers share while they are read. */
export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

interface Held {
  bytes: number;
  giveUp: () => void;
}

export function createMemoryBudget(maxBytes: number) {
  const open = new Set<Held>();
  let total = 0;
  const release = (held: Held) => {
    if (open.delete(held)) total -= held.bytes;
  };
  return {
    /** `giveUp` is called once, when this answer holds most of a budget that is exceeded. */
    open: (giveUp: () => void) => {
      const own: Held = { bytes: 0, giveUp };
      open.add(own);
      return {
        set: (bytes: number): void => {
          if (!open.has(own)) return;
          total += bytes - own.bytes;
          own.bytes = bytes;
          while (total > maxBytes) {
            const largest = [...open].reduce((most, one) => (one.bytes > most.bytes ? one : most));
            release(largest);
            largest.giveUp();
          }
        },
        release: (): void => {
          release(own);
        },
      };
    },
  };
}

/** What a piece takes in memory beside its bytes: a body may come in pieces of one byte each. */
const pieceCost = 128;

/** The whole body, or "tooLong" where the budget ends. Rejects when it breaks before its end. */
export function readBody(body: Readable, budget: MemoryBudget): Promise<Buffer | "tooLong"> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let cost = -pieceCost;
    const share = budget.open(() => {
      resolve("tooLong");
      pieces.length = 0;
      body.destroy();
    });
    body.on("data", (piece: Buffer) => {
      pieces.push(piece);
      cost += piece.length + pieceCost;
      share.set(cost);
    });
    body.once("end", () => {
      const [only] = pieces;
      resolve(pieces.length === 1 && only ? only : Buffer.concat(pieces));
    });
    body.once("error", reject).once("close", () => {
      share.release();
      reject(new Error("it broke off"));
    });
  });
}

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

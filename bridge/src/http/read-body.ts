import type { Readable } from "node:stream";

/** What a piece takes in memory beside its bytes: a body may come in pieces of one byte each. */
const pieceCost = 128;

/** The whole body, or "tooLong" and its end. Rejects when it breaks before its end. */
export function readBody(body: Readable, maxBytes: number): Promise<Buffer | "tooLong"> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let cost = 0;
    body.on("data", (piece: Buffer) => {
      cost += piece.length + pieceCost;
      if (cost <= maxBytes + pieceCost) {
        pieces.push(piece);
        return;
      }
      resolve("tooLong");
      body.destroy();
    });
    body.once("end", () => {
      const [only] = pieces;
      resolve(pieces.length === 1 && only ? only : Buffer.concat(pieces));
    });
    body.once("error", reject).once("close", () => {
      reject(new Error("it broke off"));
    });
  });
}

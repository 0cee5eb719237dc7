import type { Readable } from "node:stream";
import type { MemoryBudget } from "./memory-budget.js";

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

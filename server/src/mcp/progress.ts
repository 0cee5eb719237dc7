import type { Report } from "../domain/history/change-all.js";
import type { AnswerStream } from "./answer-stream.js";
import { isObject } from "./normalize.js";

interface Progress {
  report: Report;
  /** Nothing is told after the answer. */
  close: () => void;
}

/** It is repeated every time; one that nobody needs so long could fill the memory. */
const maxTokenLength = 256;
const tickMs = 1000;
const tellEvery = 5;

/**
 * Tells a client that asked for it how far its call is: the records that are done, and before there
 * are any to count, that it goes on. Numbers have to grow, so those of the latter stay below one.
 */
export function openProgress(
  stream: AnswerStream | undefined,
  params: unknown,
): Progress | undefined {
  const meta = isObject(params) ? params["_meta"] : undefined;
  const token = isObject(meta) ? meta["progressToken"] : undefined;
  if (stream === undefined || !isToken(token)) return undefined;
  const tell = (told: object) => {
    const notification = {
      method: "notifications/progress",
      params: { progressToken: token, ...told },
    };
    stream.send(JSON.stringify({ jsonrpc: "2.0", ...notification }));
  };
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    tell({ progress: ticks / (ticks + 1), message: "Still working." });
  }, tickMs).unref();
  let most = 0;
  return {
    report: (done, of) => {
      clearInterval(timer);
      // A transaction that begins again counts from one again.
      if (done <= most || (done % tellEvery !== 0 && done !== of)) return;
      most = done;
      tell({ progress: done, total: of });
    },
    close: () => {
      clearInterval(timer);
    },
  };
}

function isToken(token: unknown): boolean {
  return typeof token === "string" ? token.length <= maxTokenLength : typeof token === "number";
}

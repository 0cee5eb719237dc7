import { createParser } from "eventsource-parser";
import type { Readable } from "node:stream";
import type { MemoryBudget } from "../../http/memory-budget.js";

/** How an event stream ended, and what is needed to go on with it. */
export interface StreamEnd {
  lastEventId: string | undefined;
  /** How long the server asks to wait before coming back. */
  retryMs: number | undefined;
  /** How many came, with or without a message. */
  events: number;
}

/** One event was more than is taken; the stream was given up. */
export type TooLong = "tooLong";

export interface StreamHandlers {
  /** The data of one message event. False: wait for `drained` before reading on. */
  onData: (data: string) => boolean | TooLong;
  drained: () => Promise<void>;
  /** For the event that has not ended yet, in characters; its lines and pieces count for more than their text. */
  budget: MemoryBudget;
}

const maxIdLength = 4096;
/** What a line takes in memory beside its text, and so does each piece that the stream comes in. */
const partCost = 64;
const lineEnd = /[\r\n]/g;
const blankLines = ["\n\n", "\r\r", "\r\n\r\n"];

/** Reads a text/event-stream until it ends or breaks; both are the same to its reader. */
export function readEvents(
  body: Readable,
  { onData, drained, budget }: StreamHandlers,
): Promise<StreamEnd | TooLong> {
  const end: StreamEnd = { lastEventId: undefined, retryMs: undefined, events: 0 };
  let isFull = false;
  let isTooLong = false;
  const giveUp = () => {
    isTooLong = true;
    body.destroy();
  };
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      end.events += 1;
      if (id !== undefined && isHeaderText(id)) end.lastEventId = id;
      if (data === "" || (event !== undefined && event !== "message")) return;
      const taken = onData(data);
      if (taken === "tooLong") giveUp();
      else if (!taken) isFull = true;
    },
    onRetry: (ms) => {
      end.retryMs = ms;
    },
  });
  const measure = createMeter();
  const share = budget.open(giveUp);
  return new Promise((resolve, reject) => {
    body.setEncoding("utf8");
    let isFirst = true;
    body.on("data", (text: string) => {
      share.set(measure(text));
      if (isTooLong) return;
      try {
        parser.feed(isFirst ? text.replace(/^\ufeff/, "") : text);
      } catch (error) {
        reject(new Error("An event could not be taken", { cause: error }));
        body.destroy();
      }
      isFirst = false;
      if (!isFull) return;
      isFull = false;
      body.pause();
      void drained().then(() => body.resume());
    });
    const finish = () => {
      share.release();
      resolve(isTooLong ? "tooLong" : end);
    };
    body.once("end", finish).once("error", finish).once("close", finish);
  });
}

/** Whether it can be sent back in a header, in UTF-8. */
function isHeaderText(id: string): boolean {
  return id.length <= maxIdLength && !/\p{Cc}/u.test(id);
}

/** Told of each piece of a stream, says how much the event that has not ended yet takes. */
function createMeter(): (piece: string) => number {
  let cost = 0;
  let last = "";
  return (piece) => {
    // A blank line may come in two pieces.
    const text = last + piece;
    last = text.slice(-3);
    const hasLines = piece.includes("\n") || piece.includes("\r");
    const end = hasLines ? Math.max(...blankLines.map((blank) => text.lastIndexOf(blank))) : -1;
    if (end >= 0) cost = 0;
    const open = end >= 0 ? text.slice(end) : piece;
    const lines = hasLines ? (open.match(lineEnd)?.length ?? 0) : 0;
    cost += open.length + partCost * (1 + lines);
    return cost;
  };
}

import { createParser } from "eventsource-parser";
import type { Readable } from "node:stream";

/** How an event stream ended, and what is needed to go on with it. */
export interface StreamEnd {
  lastEventId: string | undefined;
  /** How long the server asks to wait before coming back. */
  retryMs: number | undefined;
  /** How many came, with or without a message. */
  events: number;
}

/** One event was longer than is taken; the stream was given up. */
export type TooLong = "tooLong";

export interface StreamHandlers {
  /** The data of one message event. False: wait for `drained` before reading on. */
  onData: (data: string) => boolean;
  drained: () => Promise<void>;
  /** Of one event, in characters. */
  maxLength: number;
}

/** Reads a text/event-stream until it ends or breaks; both are the same to its reader. */
export function readEvents(
  body: Readable,
  { onData, drained, maxLength }: StreamHandlers,
): Promise<StreamEnd | TooLong> {
  const end: StreamEnd = { lastEventId: undefined, retryMs: undefined, events: 0 };
  let isFull = false;
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onError: ({ type }) => {
      if (type !== "max-buffer-size-exceeded") return;
      isTooLong = true;
      body.destroy();
    },
    onEvent: ({ id, event, data }) => {
      end.events += 1;
      if (id !== undefined) end.lastEventId = id;
      if (data === "" || (event !== undefined && event !== "message")) return;
      if (!onData(data)) isFull = true;
    },
    onRetry: (ms) => {
      end.retryMs = ms;
    },
  });
  return new Promise((resolve) => {
    body.setEncoding("utf8");
    let isFirst = true;
    body.on("data", (text: string) => {
      parser.feed(isFirst ? text.replace(/^\ufeff/, "") : text);
      isFirst = false;
      if (!isFull) return;
      isFull = false;
      body.pause();
      void drained().then(() => body.resume());
    });
    const finish = () => {
      resolve(isTooLong ? "tooLong" : end);
    };
    body.once("end", finish).once("error", finish).once("close", finish);
  });
}

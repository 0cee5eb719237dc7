import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Report } from "../domain/history/change-all.js";
import { isObject } from "./normalize.js";
import { toText, type MessageText } from "./rpc.js";

/** Sends messages before the response. The first one turns the response into an event stream. */
export interface AnswerStream {
  send: (message: string) => void;
  /** Sends an empty event, because silent connections are closed on the way. */
  keepOpen: () => void;
}

/** The stream of one response. It ends with the response. */
export interface OpenableStream extends AnswerStream {
  hasBegun: () => boolean;
  end: (message: MessageText) => void;
}

export function createAnswerStream(reply: FastifyReply): OpenableStream {
  let events: PassThrough | undefined;
  const write = (text: string) => {
    events ??= open(reply);
    if (!events.destroyed) events.write(text);
  };
  const send = (message: string) => {
    write(`event: message\ndata: ${message}\n\n`);
  };
  return {
    send,
    keepOpen: () => {
      write(":\n\n");
    },
    hasBegun: () => events !== undefined,
    end: (message) => {
      const text = toText(message);
      reply.server.services.enforceReadTimeout(reply, Buffer.byteLength(text));
      send(text);
      // The head was sent before the server knew that it would wait only for this connection.
      const { socket } = reply.raw;
      if (reply.server.services.isStopping()) reply.raw.once("finish", () => socket?.destroySoon());
      events?.end();
    },
  };
}

function open(reply: FastifyReply): PassThrough {
  const events = new PassThrough();
  // Limits, logs and the pipe all listen for its end.
  reply.raw.setMaxListeners(20);
  void reply
    .type("text/event-stream")
    .header("cache-control", "no-store")
    .header("x-accel-buffering", "no")
    .send(events);
  return events;
}

export function acceptsEvents(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/event-stream\b/i.test(accept);
}

interface Progress {
  report: Report;
  /** Nothing is sent after the response. */
  close: () => void;
}

/** The token is repeated in each message. Longer ones could fill the memory. */
const maxTokenLength = 256;
const tickMs = 1000;
const tellEvery = 5;

/**
 * Reports a call's progress if the client asked for it: the finished records, and before there are
 * any, that it continues. Numbers must grow, so the latter stay below one.
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
      // A retried transaction counts from one again.
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

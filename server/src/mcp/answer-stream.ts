import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import type { JsonText } from "./rpc.js";

/** For messages before the answer. With the first of them, the answer becomes a stream of events. */
export interface AnswerStream {
  send: (message: string) => void;
  /** Says nothing: what is silent for long is taken for dead on the way. */
  keepOpen: () => void;
}

/** The stream of one answer, which ends with the answer itself. */
export interface OpenableStream extends AnswerStream {
  hasBegun: () => boolean;
  end: (message: JsonText) => void;
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
      const text = message.toString();
      reply.server.expectReading(reply, Buffer.byteLength(text));
      send(text);
      // The head went out before anybody knew that the connection is the last thing to wait for.
      const { socket } = reply.raw;
      if (reply.server.isStopping()) reply.raw.once("finish", () => socket?.destroySoon());
      events?.end();
    },
  };
}

function open(reply: FastifyReply): PassThrough {
  const events = new PassThrough();
  // Limits, logs and the pipe itself all wait for its end.
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

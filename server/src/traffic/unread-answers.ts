import type { FastifyReply } from "fastify";
import fp from "fastify-plugin";
import { whenOver } from "./answer-end.js";
import type { CallerKey } from "./caller-limit.js";
import { tooMany } from "./too-many.js";
import { memory } from "./bounds.js";
import { createMemoryBudget, type HeldPart, type MemoryBudget } from "./memory-budget.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose memory an unread answer takes; null is a stranger, whose pages are small. */
    reader: CallerKey | null;
  }
  interface FastifyReply {
    unread: HeldPart | null;
  }
}

/** Bounds what waits to be read, by whose it is. */
export interface UnreadAnswers {
  /** Refuses who has too many answers that were not read. */
  requireReading: (reader: CallerKey) => void;
  /** Counts what there is of an answer; false when no more should be put into it. */
  holdAnswer: (reply: FastifyReply, bytes: number) => boolean;
  /** The same of a ZIP file, which takes much more, and is wanted seldom. */
  holdArchive: (reply: FastifyReply, bytes: number) => void;
  /** Counts all of an answer, which from now on is to be read in time. */
  expectReading: (reply: FastifyReply, bytes: number) => void;
}

const retryMs = 5000;

/** How long an answer may take to leave: two minutes, and more for what is long. */
const maxSeconds = 120;
const bytesPerSecond = 16_384;

/** Longer texts wait to be read as bytes, outside of the heap, and in one copy. */
const longText = 16_384;

/**
 * Streams are read as they are taken, and each keeps one of the four places for pages of its person, so
 * they are not timed, and counted are only those that are made meanwhile (`whileConfirmed`).
 */
export function createUnreadAnswers(): UnreadAnswers {
  const answers = createMemoryBudget("unread", memory.unread);
  const archives = createMemoryBudget("archives", memory.archives);
  const holdAnswer: UnreadAnswers["holdAnswer"] = (reply, bytes) => {
    const { reader } = reply.request;
    if (reader === null) return true;
    reply.unread ??= open(answers, reply, reader);
    return reply.unread.hold(bytes);
  };
  return {
    requireReading: (reader) => {
      if (answers.isFull(reader)) throw tooMany("unread", retryMs);
    },
    holdAnswer,
    expectReading: (reply, bytes) => {
      holdAnswer(reply, bytes);
      endInTime(reply, bytes);
    },
    holdArchive: (reply, bytes) => {
      const { reader } = reply.request;
      if (reader !== null) open(archives, reply, reader).hold(bytes);
    },
  };
}

export const unreadAnswersPlugin = fp(async (app) => {
  app.decorateRequest("reader", null);
  app.decorateReply("unread", null);
  app.addHook("onRequest", ({ raw }, reply, done) => {
    // A call may take longer than a connection may be silent, and is answered then as well.
    reply.raw.on("timeout", () => {
      if (!raw.complete || reply.raw.headersSent) disconnect(reply);
    });
    done();
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) {
      done(null, payload);
      return;
    }
    const bytes = Buffer.byteLength(payload);
    app.services.expectReading(reply, bytes);
    done(null, typeof payload === "string" && bytes > longText ? Buffer.from(payload) : payload);
  });
});

function open(budget: MemoryBudget, reply: FastifyReply, reader: CallerKey): HeldPart {
  const part = budget.open(reader, () => {
    disconnect(reply);
  });
  whenOver(reply, part.close);
  return part;
}

function endInTime(reply: FastifyReply, bytes: number): void {
  const seconds = maxSeconds + Math.ceil(bytes / bytesPerSecond);
  const timer = setTimeout(disconnect, seconds * 1000, reply).unref();
  whenOver(reply, () => {
    clearTimeout(timer);
  });
}

function disconnect({ request }: FastifyReply): void {
  request.raw.socket.destroy();
}

import type { FastifyReply } from "fastify";
import fp from "fastify-plugin";
import { onResponseClosed } from "./answer-end.js";
import type { CallerKey } from "./caller-limit.js";
import { rateLimited } from "./rate-limited.js";
import { memory } from "./bounds.js";
import { createMemoryBudget, type HeldPart, type MemoryBudget } from "./memory-budget.js";

declare module "fastify" {
  interface FastifyRequest {
    /**
     * The holder of an unread response's memory. Null for anonymous requests, whose pages are
     * small.
     */
    reader: CallerKey | null;
  }
  interface FastifyReply {
    unread: HeldPart | null;
  }
}

export interface UnreadAnswers {
  /** Throws if the reader has too many unread responses. */
  requireBackpressureRoom: (reader: CallerKey) => void;
  /** Counts the bytes of a response so far. Returns false if nothing must be added. */
  bufferResponse: (reply: FastifyReply, bytes: number) => boolean;
  /** Counts a ZIP file, which is much larger and rarely requested. */
  holdArchive: (reply: FastifyReply, bytes: number) => void;
  /** Counts a complete response, which the client must now read in time. */
  enforceReadTimeout: (reply: FastifyReply, bytes: number) => void;
}

const retryMs = 5000;

/** Time limit for sending a response: two minutes, and more for long ones. */
const maxSeconds = 120;
const bytesPerSecond = 16_384;

/** Longer texts are buffered as bytes, outside the heap and in one copy. */
const longText = 16_384;

/**
 * Streams have no time limit, because they are produced as they are read, and each holds one of its
 * person's four slots for pages. Only streams that are generated meanwhile are counted
 * (`streamWhileAuthorized`).
 */
export function createUnreadAnswers(): UnreadAnswers {
  const answers = createMemoryBudget("unread", memory.unread);
  const archives = createMemoryBudget("archives", memory.archives);
  const bufferResponse: UnreadAnswers["bufferResponse"] = (reply, bytes) => {
    const { reader } = reply.request;
    if (reader === null) return true;
    reply.unread ??= open(answers, reply, reader);
    return reply.unread.hold(bytes);
  };
  return {
    requireBackpressureRoom: (reader) => {
      if (answers.isFull(reader)) throw rateLimited("unread", retryMs);
    },
    bufferResponse,
    enforceReadTimeout: (reply, bytes) => {
      bufferResponse(reply, bytes);
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
    // A call may take longer than the connection's idle timeout, and is still answered.
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
    app.services.enforceReadTimeout(reply, bytes);
    done(null, typeof payload === "string" && bytes > longText ? Buffer.from(payload) : payload);
  });
});

function open(budget: MemoryBudget, reply: FastifyReply, reader: CallerKey): HeldPart {
  const part = budget.open(reader, () => {
    disconnect(reply);
  });
  onResponseClosed(reply, part.close);
  return part;
}

function endInTime(reply: FastifyReply, bytes: number): void {
  const seconds = maxSeconds + Math.ceil(bytes / bytesPerSecond);
  const timer = setTimeout(disconnect, seconds * 1000, reply).unref();
  onResponseClosed(reply, () => {
    clearTimeout(timer);
  });
}

function disconnect({ request }: FastifyReply): void {
  request.raw.socket.destroy();
}

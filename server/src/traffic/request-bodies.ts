import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { limitRefusals } from "../metrics.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import { onResponseClosed } from "./answer-end.js";
import type { CallerKey } from "./caller-limit.js";
import { memory } from "./bounds.js";
import { createMemoryBudget, type HeldPart } from "./memory-budget.js";
import { rateLimited } from "./rate-limited.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The body's bytes. The parser counts the parsed result. */
    heldBody: HeldPart | null;
  }
}

/** Overhead of a chunk in bytes. Bodies may arrive in chunks of one byte. */
export const bytesOfPiece = 512;

/** A client that sends this many smaller chunks occupies the processor and gets no response. */
const maxTinyPieces = 1000;
const tinyPiece = 16;
/** For forms with files, which have far more chunks. Network packets are larger. */
export const tinyPieceOfUpload = 128;

const retryMs = 5000;

/** Time limits for bodies. Photos also arrive over slow connections. */
const bodySeconds = 30;
export const uploadSeconds = 300;

/** An unwanted body up to this size is read and dropped, to preserve its connection. */
const maxDropped = 65_536;

/**
 * Limits the memory of bodies from their first chunk until the request ends: per person and
 * organization, or per address and all anonymous requests. The rest of an unwanted body isn't read.
 */
export const requestBodiesPlugin = fp(async (app) => {
  const bodies = createMemoryBudget("bodies", memory.bodies);
  app.decorateRequest("heldBody", null);

  app.addHook("preParsing", (request, reply, payload, done) => {
    if (!hasBody(request)) {
      done(null, payload);
      return;
    }
    if (!request.raw.complete) {
      endInTime(request, reply, isUpload(request) ? uploadSeconds : bodySeconds);
    }
    const body = bodies.open(holderOf(request), () => request.raw.socket.destroy());
    request.heldBody = body;
    onResponseClosed(reply, body.close);
    // Files are stored on disk. uploads.ts counts the form's other fields.
    if (isUpload(request)) {
      done(null, payload);
      return;
    }
    const endTiny = createTinyPiecesEnd(request, tinyPiece);
    let held = 0;
    // The parser also listens from now on. It receives the error and responds with it.
    const count = (piece: Buffer) => {
      held += piece.length + bytesOfPiece;
      endTiny(piece);
      if (body.hold(held)) return;
      payload.off("data", count).pause();
      payload.emit("error", rateLimited("bodies", retryMs));
    };
    payload.on("error", () => undefined).on("data", count);
    done(null, payload);
  });

  app.addHook("onSend", (request, reply, _payload, done) => {
    if (isUnread(request)) void reply.header("connection", "close");
    done();
  });
});

/**
 * Closes the connection if a body arrives in very many chunks smaller than `least` bytes on
 * average.
 */
export function createTinyPiecesEnd(
  { raw }: FastifyRequest,
  least: number,
): (piece: Buffer) => void {
  let [bytes, pieces] = [0, 0];
  return ({ length }) => {
    bytes += length;
    pieces += 1;
    if (pieces <= maxTinyPieces || bytes >= pieces * least) return;
    limitRefusals.inc({ limit: "tiny_pieces" });
    raw.socket.destroy();
  };
}

function endInTime({ raw }: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const timer = setTimeout(() => raw.socket.destroy(), seconds * 1000).unref();
  const end = () => {
    clearTimeout(timer);
  };
  raw.once("end", end);
  onResponseClosed(reply, end);
}

/** The holder of a request's data: its reader, or the anonymous requests of an address. */
export function holderOf({ reader, ip }: FastifyRequest): CallerKey {
  return reader ?? { organizationId: "strangers", userId: toAddressKey(ip) };
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
}

function isUpload({ headers, routeOptions }: FastifyRequest): boolean {
  const isForm = headers["content-type"]?.startsWith("multipart/form-data") === true;
  return isForm && routeOptions.config.upload !== undefined;
}

/** True if so much of the body may remain that its connection isn't worth reading it. */
function isUnread(request: FastifyRequest): boolean {
  if (request.raw.complete || !hasBody(request)) return false;
  return !(Number(request.headers["content-length"]) <= maxDropped);
}

import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { limitRefusals } from "../metrics.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import { whenOver } from "./answer-end.js";
import type { CallerKey } from "./caller-limit.js";
import { memory } from "./bounds.js";
import { createMemoryBudget, type HeldPart } from "./memory-budget.js";
import { tooMany } from "./too-many.js";

declare module "fastify" {
  interface FastifyRequest {
    /** What the body takes; who parses it counts what becomes of it. */
    heldBody: HeldPart | null;
  }
}

/** What a piece takes beside its bytes: bodies may be sent in pieces of one byte. */
export const bytesOfPiece = 512;

/** Who sends so many pieces of fewer bytes each keeps the processor busy and is not answered. */
const maxTinyPieces = 1000;
const tinyPiece = 16;
/** Of a form with files, of which far more pieces may come; packets of any network have more. */
export const tinyPieceOfUpload = 128;

const retryMs = 5000;

/** How long a body may take; photos come from cellars as well. */
const bodySeconds = 30;
export const uploadSeconds = 300;

/** So much of a body that nobody wants is read and dropped, to keep its connection. */
const maxDropped = 65_536;

/**
 * Bounds what bodies take in memory, from their first piece until the request is over: those of a
 * person and an organization, or of an address and all strangers. The rest of a body that nobody waits
 * for is not read.
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
    whenOver(reply, body.close);
    // Files wait on the disk, see uploads.ts, which counts what comes with them.
    if (isUpload(request)) {
      done(null, payload);
      return;
    }
    const endTiny = createTinyPiecesEnd(request, tinyPiece);
    let held = 0;
    // The parser listens as well, from this turn on: it is told of what is wrong, and answers that.
    const count = (piece: Buffer) => {
      held += piece.length + bytesOfPiece;
      endTiny(piece);
      if (body.hold(held)) return;
      payload.off("data", count).pause();
      payload.emit("error", tooMany("bodies", retryMs));
    };
    payload.on("error", () => undefined).on("data", count);
    done(null, payload);
  });

  app.addHook("onSend", (request, reply, _payload, done) => {
    if (isUnread(request)) void reply.header("connection", "close");
    done();
  });
});

/** Ends the connection of a body that comes in very many pieces of fewer bytes than `least` on average. */
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
  whenOver(reply, end);
}

/** For whom something of a request is held: who reads, or the strangers of an address. */
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

/** Whether so much of the body may still come that its connection is not worth it. */
function isUnread(request: FastifyRequest): boolean {
  if (request.raw.complete || !hasBody(request)) return false;
  return !(Number(request.headers["content-length"]) <= maxDropped);
}

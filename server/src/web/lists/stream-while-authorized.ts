import type { FastifyReply, FastifyRequest } from "fastify";
import { hasAccess } from "../../domain/access/confirm-access.js";
import { findSession } from "../../domain/accounts/sessions.js";
import { AppError } from "../../errors.js";
import { callerOf } from "../layout/reply.js";

/** Slow readers are checked again after this time. */
const maxMs = 1000;

/** The memory of rows that were read and wait to be sent, as rows, text and bytes. */
const heldBytes = 1_048_576;

/**
 * Streams a file while it is generated. Aborts it if the person loses access. Also aborts it for
 * the person with the most, if an organization, or all of them, have too many at once.
 */
export async function* streamWhileAuthorized<Piece>(
  reply: FastifyReply,
  pieces: AsyncIterable<Piece>,
  piecesPerCheck = 500,
): AsyncGenerator<Piece> {
  reply.server.services.bufferResponse(reply, heldBytes);
  yield* streamWhileAllowed(reply.request, pieces, { piecesPerCheck, checkedAt: -Infinity });
}

/** Streams content that already existed. A fast reader is not checked a second time. */
export async function* streamWhileAllowed<Piece>(
  request: FastifyRequest,
  pieces: AsyncIterable<Piece>,
  { piecesPerCheck = Infinity, checkedAt = performance.now() } = {},
): AsyncGenerator<Piece> {
  let left = piecesPerCheck;
  for await (const piece of pieces) {
    if (left === 0 || performance.now() - checkedAt > maxMs) {
      await confirm(request);
      left = piecesPerCheck;
      checkedAt = performance.now();
    }
    left -= 1;
    yield piece;
  }
}

/**
 * A file that is generated while it is sent has left the organization's queue. Its pieces therefore
 * take turns with others.
 */
export async function* inTurns<Piece>(
  request: FastifyRequest,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const { organizationId } = callerOf(request);
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await request.server.services.filePieceQueue(organizationId, () =>
        iterator.next(),
      );
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Not on a replica, which may lag. */
async function confirm(request: FastifyRequest): Promise<void> {
  const { systemDb } = request.server.services;
  const caller = callerOf(request);
  const isConfirmed = await request.server.services.lookUpForPerson(caller.userId, async () => {
    const session = await findSession(systemDb, request.session.sessionId);
    return session !== undefined && (await hasAccess(systemDb, caller));
  });
  if (!isConfirmed) throw new AppError("forbidden", "access_changed");
}

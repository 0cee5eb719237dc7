import type { FastifyReply, FastifyRequest } from "fastify";
import { hasAccess } from "../../domain/access/confirm-access.js";
import { findSession } from "../../domain/accounts/sessions.js";
import { AppError } from "../../errors.js";
import { callerOf } from "../layout/reply.js";

/** Who reads slowly is asked for again after this long. */
const maxMs = 1000;

/** Rows that were read and wait to be sent, as rows, as text and as bytes. */
const heldBytes = 1_048_576;

/**
 * Pieces of a file that is made while it is sent: it ends in the middle for whom it is no longer meant,
 * and for who holds most when an organization, or all of them, have too many at the same time.
 */
export async function* whileConfirmed<Piece>(
  reply: FastifyReply,
  pieces: AsyncIterable<Piece>,
  piecesPerCheck = 500,
): AsyncGenerator<Piece> {
  reply.server.services.holdAnswer(reply, heldBytes);
  yield* whileAllowed(reply.request, pieces, { piecesPerCheck, checkedAt: -Infinity });
}

/** The same of what was there before it is sent: who takes it quickly is not asked for a second time. */
export async function* whileAllowed<Piece>(
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
 * As a file that is made while it is sent has left its place among what the organization does, its pieces are made in
 * turns with those of others.
 */
export async function* inTurns<Piece>(
  request: FastifyRequest,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const { organizationId } = callerOf(request);
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await request.server.services.pieceTurns(organizationId, () => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Not by a replica, which may be late. */
async function confirm(request: FastifyRequest): Promise<void> {
  const { systemDb } = request.server.services;
  const caller = callerOf(request);
  const isConfirmed = await request.server.services.lookUpForPerson(caller.userId, async () => {
    const session = await findSession(systemDb, request.session.sessionId);
    return session !== undefined && (await hasAccess(systemDb, caller));
  });
  if (!isConfirmed) throw new AppError("forbidden", "access_changed");
}

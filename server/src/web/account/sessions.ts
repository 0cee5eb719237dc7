import type { FastifyRequest } from "fastify";
import { flash } from "../layout/reply.js";

/** Signs a person in: from here on under a new session id, with new hidden tokens. */
export async function startSession(request: FastifyRequest, userId: string): Promise<void> {
  const { returnTo, invitation } = request.session;
  await request.session.regenerate();
  request.session.userId = userId;
  request.session.origin = request.activityOrigin();
  if (returnTo !== undefined) request.session.returnTo = returnTo;
  if (invitation !== undefined) request.session.invitation = invitation;
}

/** Signs out: the session's row is gone, and with it what was kept in it. */
export async function endSession(request: FastifyRequest, message: string): Promise<void> {
  await request.session.regenerate();
  flash(request, message);
}

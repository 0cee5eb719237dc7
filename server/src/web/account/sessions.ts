import type { FastifyRequest } from "fastify";

/** Signs a person in: from here on under a new session id, with new hidden tokens. */
export async function startSession(
  request: FastifyRequest,
  userId: string,
  message?: string,
): Promise<void> {
  const { returnTo, invitation } = request.session;
  await request.session.regenerate();
  request.session.userId = userId;
  request.session.origin = request.activityOrigin();
  if (returnTo !== undefined) request.session.returnTo = returnTo;
  if (invitation !== undefined) request.session.invitation = invitation;
  if (message !== undefined) request.session.message = message;
}

/** Signs out: the session's row is gone, and with it what was kept in it. */
export async function endSession(request: FastifyRequest, message: string): Promise<void> {
  await request.session.regenerate();
  request.session.message = message;
}

/** The address kept for this sign-in, or the start page; never anything a form or a link says. */
export function returnAddress({ session }: FastifyRequest, next: string): string {
  const addresses = new Map(Object.entries(session.returnTo ?? {}));
  return addresses.get(next) ?? "/";
}

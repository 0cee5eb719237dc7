import type { FastifyRequest } from "fastify";
import { hashSecret } from "../../domain/shared/secrets.js";

/**
 * Where an invitation goes on after a sign-in or sign-out: its link has no place in redirects and in
 * stored sessions, so the session keeps the link's hash.
 */
export const waitingAddress = "/invites/waiting";

/** The hash of the link that an address says, or of the one that the session keeps. */
export function hashOfLink({ session }: FastifyRequest, token: string): Buffer {
  if (!waitingAddress.endsWith(`/${token}`)) return hashSecret(token);
  return Buffer.from(session.invitation ?? "", "base64url");
}

/** Keeps an invitation in the session. */
export function keepInvitation({ session }: FastifyRequest, tokenHash: Buffer): void {
  session.invitation = tokenHash.toString("base64url");
}

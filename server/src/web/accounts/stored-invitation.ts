import type { FastifyRequest } from "fastify";
import { hashSecret } from "../../domain/shared/secrets.js";

/**
 * Where an invitation continues after a sign-in or sign-out. Its link must not appear in redirects
 * or stored sessions, so the session stores the link's hash.
 */
export const waitingAddress = "/invites/waiting";

/** The hash of the link in the address, or the hash in the session. */
export function hashOfLink({ session }: FastifyRequest, token: string): Buffer {
  if (!waitingAddress.endsWith(`/${token}`)) return hashSecret(token);
  return Buffer.from(session.invitation ?? "", "base64url");
}

export function keepInvitation({ session }: FastifyRequest, tokenHash: Buffer): void {
  session.invitation = tokenHash.toString("base64url");
}

import type { FastifyRequest } from "fastify";
import { createToken } from "../../domain/values/ids.js";
import { hashSecret } from "../../domain/values/secrets.js";

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

/** The address of a sign-in that comes back to the kept invitation. */
export function signInAddress({ session }: FastifyRequest): string {
  const earlier = Object.entries(session.returnTo ?? {});
  const known = earlier.find(([, address]) => address === waitingAddress)?.[0];
  const next = known ?? createToken();
  session.returnTo = Object.fromEntries([...earlier.slice(-7), [next, waitingAddress]]);
  return `/signin?next=${next}`;
}

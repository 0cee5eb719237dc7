import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * The person whose rounds this browser stores for offline use. The offline script reads it, because
 * it can't ask the server. The first response to another person, or to no one, deletes it.
 */
const offlineCookie = "__Host-fettle-rounds";

const lifeSeconds = 12 * 60 * 60;

export function keepRoundsFor(reply: FastifyReply, personId: string): void {
  const maxAge = lifeSeconds;
  // As for the session, `secure` is added to all cookies when they are sent.
  void reply.setCookie(offlineCookie, personId, {
    path: "/",
    httpOnly: false,
    sameSite: "lax",
    secure: false,
    maxAge,
  });
}

export function forgetOfflinePerson(
  {
    cookies,
    person,
  }: Pick<FastifyRequest, "person"> & { cookies: FastifyRequest["cookies"] | null },
  reply: FastifyReply,
): void {
  // Cookies are not parsed yet for requests that are refused early.
  const kept = cookies?.[offlineCookie];
  if (kept === undefined || kept === person?.id) return;
  void reply.clearCookie(offlineCookie, { path: "/" });
}

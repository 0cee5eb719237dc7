import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Whose rounds this browser keeps for when there is no network. The script that shows them then reads
 * it, as it cannot ask who is signed in. It goes with the first answer to somebody else, or to nobody.
 */
const offlineCookie = "__Host-fettle-rounds";

const lifeSeconds = 12 * 60 * 60;

export function keepRoundsFor(reply: FastifyReply, personId: string): void {
  const maxAge = lifeSeconds;
  // Not `secure` here, as with the session: all cookies are made so when they are sent.
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
  // Not read yet of what is refused before anything else.
  const kept = cookies?.[offlineCookie];
  if (kept === undefined || kept === person?.id) return;
  void reply.clearCookie(offlineCookie, { path: "/" });
}

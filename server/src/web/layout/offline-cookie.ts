import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieOptions } from "./cookie-options.js";

/**
 * The person whose rounds this browser stores for offline use. The offline script reads it, because
 * it can't ask the server. The first response to another person, or to no one, deletes it.
 */
const offlineCookie = "__Host-fettle-rounds";

const lifeSeconds = 12 * 60 * 60;

export function keepRoundsFor(reply: FastifyReply, personId: string): void {
  const maxAge = lifeSeconds;
  void reply.setCookie(offlineCookie, personId, { ...cookieOptions, httpOnly: false, maxAge });
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

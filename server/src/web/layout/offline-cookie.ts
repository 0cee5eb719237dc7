import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../domain/access/caller.js";
import { cookieOptions } from "./cookie-options.js";

/**
 * The person and organization whose pages this browser stores for offline use. The service worker
 * reads it, because it can't ask the server. The first response to another person, or to no one,
 * deletes it. In a browser whose service worker can't read it, the header of each page takes its
 * place.
 */
const offlineCookie = "__Host-fettle-offline";

const lifeSeconds = 12 * 60 * 60;

/** The name of the browser's store of pages. */
export function toOfflineOwner({ userId, organizationId }: Caller): string {
  return `${userId}.${organizationId}`;
}

export function keepOfflineFor(reply: FastifyReply, caller: Caller): void {
  const options = { ...cookieOptions, httpOnly: false, maxAge: lifeSeconds };
  void reply.setCookie(offlineCookie, toOfflineOwner(caller), options);
}

export function forgetOfflinePerson(
  {
    cookies,
    person,
  }: Pick<FastifyRequest, "person"> & { cookies: FastifyRequest["cookies"] | null },
  reply: FastifyReply,
): void {
  // Cookies are not parsed yet for requests that are refused early.
  if (cookies === null) return;
  void reply.header("fettle-person", person?.id ?? "");
  const kept = cookies[offlineCookie];
  if (kept === undefined || kept.split(".", 1)[0] === person?.id) return;
  void reply.clearCookie(offlineCookie, { path: "/" });
}

/** Forms don't wait longer for the network. */
const maxWaitMs = 30 * 24 * 60 * 60 * 1000;

/**
 * When the person sent a form that waited for the network, by the device's clock. Undefined for
 * other forms, and if the clock is wrong.
 */
export function readMadeAt({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  const at = Date.parse(String(headers["fettle-made-at"]));
  const age = Date.now() - at;
  return age > 0 && age < maxWaitMs ? new Date(at).toISOString() : undefined;
}

/**
 * True if the service worker fetches the page to store it. No one views the page then, so it takes
 * no message and changes nothing about the session.
 */
export function isCopy({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return headers["fettle-copy"] !== undefined;
}

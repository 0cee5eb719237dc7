import type { FastifyRequest } from "fastify";
import { isLoopback } from "../config.js";
import { AppError } from "../errors.js";

/**
 * Refuses a form that another site has sent (CON-07). Clients without a browser send neither header
 * and have no cookie worth stealing; they pass, and still need the form's hidden token.
 */
export function refuseForeignOrigin(request: FastifyRequest, baseUrl: string): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isForeign =
    site === "cross-site" || (origin !== undefined && !isOwn(origin, request, baseUrl));
  if (isForeign) throw new AppError("forbidden", "form_of_other_site");
}

/** Our own address; on one's own computer under any of its loopback names. */
function isOwn(origin: string, request: FastifyRequest, baseUrl: string): boolean {
  if (origin === baseUrl) return true;
  if (!isLoopback(new URL(baseUrl).hostname) || !URL.canParse(origin)) return false;
  const { protocol, host, hostname } = new URL(origin);
  return protocol === "http:" && isLoopback(hostname) && host === request.headers.host;
}

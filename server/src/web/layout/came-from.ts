import type { FastifyRequest } from "fastify";

/** The previous page on this server, from the `Referer` header. Used to return there. */
export function cameFrom({ headers }: FastifyRequest): string | undefined {
  const { referer, host } = headers;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const from = new URL(referer);
  if (from.host !== host || from.pathname.startsWith("//")) return undefined;
  return from.pathname + from.search;
}

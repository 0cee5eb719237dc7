import type { FastifyRequest } from "fastify";

/** The page of ours that a form or link was on, as the browser tells it; where one goes back to. */
export function cameFrom({ headers }: FastifyRequest): string | undefined {
  const { referer, host } = headers;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const from = new URL(referer);
  if (from.host !== host || from.pathname.startsWith("//")) return undefined;
  return from.pathname + from.search;
}

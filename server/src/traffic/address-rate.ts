import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { toAddressKey } from "../domain/shared/address-key.js";
import { memoryStore } from "./counter-store.js";
import { createTokenBuckets } from "./token-buckets.js";
import { limitRefusals } from "../metrics.js";
import { buckets } from "./bounds.js";

/** Health checks arrive every few seconds. */
export const probes: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Rate-limits each address on this node, before a session lookup or page rendering. Calls with a
 * token count by organization and person instead, because an assistant's vendor sends many people's
 * calls from one address.
 */
export const addressRatePlugin = fp(async (app) => {
  if (!app.services.config.rateLimit) return;
  const take = createTokenBuckets(memoryStore, "address-rate", [buckets.address]);
  app.addHook("onRequest", async (request, reply) => {
    if (isCall(request) || probes.has(request.routeOptions.url)) return undefined;
    const verdict = await take([toAddressKey(request.ip)]);
    return verdict.kind === "ok" ? undefined : refuseShortly(reply, verdict.seconds);
  });
});

function isCall({ routeOptions: { url }, headers }: FastifyRequest): boolean {
  return url === "/mcp" && headers.authorization !== undefined;
}

/** For floods, where rendering a page for each refusal would be costly. */
export function refuseShortly(reply: FastifyReply, seconds: number): FastifyReply {
  limitRefusals.inc({ limit: "flood" });
  return reply
    .code(429)
    .headers({
      "retry-after": seconds,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    })
    .type("text/plain; charset=utf-8")
    .send("Too many requests in a short time. Wait a little, then try again.\n");
}

import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { Registry } from "prom-client";
import { isLoopback } from "../config.js";
import { hashSecret } from "../domain/shared/secrets.js";
import { counted, httpRequests } from "../metrics.js";
import { unknownAddress } from "../web/layout/error-page.js";
import { measureDatabase, measurePools, measureReplicas, type Pools } from "./database-gauges.js";

/** Counts all requests. `/metrics`: the counters and the database's state, for Prometheus. */
export const metricsPlugin = fp<{ pools: Pools }>(async (app, { pools }) => {
  app.addHook("onResponse", ({ method, routeOptions: { url } }, reply, done) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const isUnknown = url === undefined || url === unknownAddress;
    const route = isUnknown ? { method: "any", route: "unknown" } : { method, route: url };
    httpRequests.observe({ ...route, status }, reply.elapsedTime / 1000);
    done();
  });
  const measured = new Registry();
  measurePools(measured, pools);
  measureDatabase(measured, app.services.systemDb);
  measureReplicas(measured, () => app.services.replicas.states());
  app.get("/metrics", async (request, reply) => {
    void reply.header("cache-control", "no-store");
    const { metricsToken } = app.services.config;
    if (isAllowed(request, metricsToken)) {
      const texts = [await counted.metrics(), await measured.metrics()];
      return reply.type(counted.contentType).send(texts.join(""));
    }
    if (metricsToken === undefined) {
      reply.callNotFound();
      return reply;
    }
    const message = "Send METRICS_TOKEN as a bearer token.";
    return reply
      .code(401)
      .header("www-authenticate", "Bearer")
      .send({ error: "unauthorized", message });
  });
});

/**
 * Allows requests with the token. Without a configured token, allows requests from this machine.
 */
function isAllowed(request: FastifyRequest, metricsToken: string | undefined): boolean {
  const { authorization } = request.headers;
  if (authorization === undefined) return isLocal(request);
  const given = /^bearer +(.+)$/i.exec(authorization)?.[1] ?? "";
  return metricsToken !== undefined && timingSafeEqual(hashSecret(given), hashSecret(metricsToken));
}

const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** True if called by a name of this machine, and not through a proxy on it. */
function isLocal({ ip, headers }: FastifyRequest): boolean {
  const { host = "" } = headers;
  const isOwn = ip === "::1" || isLoopback(ip.replace(/^::ffff:/, ""));
  const isForwarded = forwarding.some((name) => headers[name] !== undefined);
  return isOwn && !isForwarded && isLoopback(host.replace(/:\d+$/, ""));
}

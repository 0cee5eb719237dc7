import type { FastifyPluginAsync } from "fastify";
import { withinTime } from "../db/within-time.js";

/** Time limit for the database's response. */
export const maxWaitMs = 3_000;

export interface HealthOptions {
  findMissingMigrations: () => Promise<string[]>;
}

/** `/healthz`: the process responds. `/readyz`: the server can do its work. */
export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (
  app,
  { findMissingMigrations },
) => {
  app.get("/healthz", async (_request, reply) =>
    reply.header("cache-control", "no-store").send({ status: "ok" }),
  );
  const check = shareForASecond(() => withinTime(findMissingMigrations(), maxWaitMs));
  app.get("/readyz", async (request, reply) => {
    void reply.header("cache-control", "no-store");
    if (app.services.isStopping()) {
      return reply.code(503).send({ status: "unavailable", reason: "The server is stopping." });
    }
    try {
      const missing = await check();
      if (missing.length === 0) return await reply.send({ status: "ok" });
      return await reply.code(503).send({
        status: "unavailable",
        reason: `The database is not up to date, ${missing.length} of its migrations are missing. Run: fettle migrate`,
      });
    } catch (error) {
      request.log.warn({ err: error }, "not ready");
      return reply
        .code(503)
        .send({ status: "unavailable", reason: "The database cannot be reached." });
    }
  });
};

/** Runs one check at a time and caches its result for a second, however many callers ask. */
export function shareForASecond<T>(check: () => Promise<T>): () => Promise<T> {
  let latest: { result: Promise<T>; goodUntil: number } | undefined;
  return () => {
    if (latest !== undefined && performance.now() < latest.goodUntil) return latest.result;
    const own = { result: check(), goodUntil: Infinity };
    latest = own;
    const end = () => {
      own.goodUntil = performance.now() + 1000;
    };
    own.result.then(end, end);
    return own.result;
  };
}

import type { FastifyPluginAsync } from "fastify";
import type { DataSource } from "typeorm";

const maxWaitMs = 3_000;

/** `/healthz`: this process answers. `/readyz`: it can do its work. */
export const healthRoutes: FastifyPluginAsync = async (app) => {
  app.get("/healthz", async (_request, reply) =>
    reply.header("cache-control", "no-store").send({ status: "ok" }),
  );
  const check = shareForASecond(() => withinTime(findMissingMigrations(app.systemDb)));
  app.get("/readyz", async (request, reply) => {
    void reply.header("cache-control", "no-store");
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

async function findMissingMigrations(db: DataSource): Promise<string[]> {
  const tables: { migrations: string | null }[] = await db.query(
    "SELECT to_regclass('migrations')::text AS migrations",
  );
  const ran: { name: string }[] =
    tables[0]?.migrations === null ? [] : await db.query("SELECT name FROM migrations");
  const names = new Set(ran.map(({ name }) => name));
  return db.migrations
    .map((migration) => migration.name ?? migration.constructor.name)
    .filter((name) => !names.has(name));
}

/** However many ask, and however long it takes: one check at a time, and its result for a second. */
function shareForASecond<T>(check: () => Promise<T>): () => Promise<T> {
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

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error("the database took too long to answer"));
    }, maxWaitMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

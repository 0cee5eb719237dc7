import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  memoryStore,
  openRedisStore,
  type CounterStore,
} from "../../../server/src/traffic/counter-store.js";
import {
  createSignInThrottle,
  type SignInThrottle,
} from "../../../server/src/traffic/sign-in-throttle.js";
import { createTokenBuckets } from "../../../server/src/traffic/token-buckets.js";
import { createWindows } from "../../../server/src/traffic/windows.js";
import { testConfig, useApp, type TestApp, startApp } from "../../support/app.js";
import { useDatabase } from "../../support/database.js";
import { connect } from "../../support/mcp.js";
import { useRedis } from "../../support/redis-server.js";

const hourMs = 3_600_000;

const redis = useRedis();

/** The test machine may be slow. The limit must only expire if Redis hangs. */
const patienceMs = 60_000;

async function aStore(patience = patienceMs): Promise<{ store: CounterStore; said: string[] }> {
  const said: string[] = [];
  const log = {
    info: (message: string) => said.push(message),
    warn: (_details: object, message: string) => said.push(message),
  };
  const store = await openRedisStore(redis().url, log, patience);
  onTestFinished(() => {
    store.close();
  });
  return { store, said };
}

const silent = { info: () => undefined, warn: () => undefined };
const inRedis = "limits are counted in Redis";
const inMemory = "limits are counted in the memory of this node: Redis is away";

describe("two nodes sharing Redis", () => {
  const database = useDatabase();
  const nodes: FastifyInstance[] = [];

  const node = (index: number): TestApp => {
    const app = nodes[index];
    if (app === undefined) throw new Error("The nodes are there only while tests run.");
    return { app, db: database(), config: app.services.config };
  };

  beforeAll(async () => {
    const config = testConfig({ rateLimit: true });
    for (let count = 0; count < 2; count += 1) {
      const counters = await openRedisStore(redis().url, silent, patienceMs);
      nodes.push(await startApp(config, database(), { counters }));
    }
  });
  afterAll(async () => {
    await Promise.all(nodes.map((app) => app.close()));
  });

  test("LIM-08, OPS-01: share a limit by address, and reject with 429 and Retry-After", async () => {
    const register = (index: number) =>
      node(index).app.inject({ method: "POST", url: "/oauth/register", payload: {} });
    for (let count = 0; count < 60; count += 1) {
      expect((await register(count % 2)).statusCode).toBe(400);
    }

    for (const index of [0, 1]) {
      const refused = await register(index);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    }
  });

  test("LIM-08, OPS-01: share the client limit at the token endpoint", async () => {
    const ask = (index: number) =>
      node(index).app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "client_id=fettle-bridge",
      });
    for (let count = 0; count < 60; count += 1) {
      expect((await ask(count % 2)).statusCode).toBe(400);
    }

    const refused = await ask(1);

    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("LIM-08: share a person's usage, with one Redis query per call", async () => {
    const connected = [await connect(node(0)), await connect(node(1))];
    for (const { ok, member } of connected) {
      await ok("get_current_user");
      await redis().client.config("RESETSTAT");
      await ok("get_current_user");
      const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await redis().client.info("commandstats"));
      expect(calls?.[1]).toBe("1");

      const key = `fettle:calls:${member.organizationId} ${member.userId}`;
      await redis().client.hset(key, "calls", Date.now() + hourMs);
      await connected[0]?.refused("get_current_user");
    }
  });
});

describe("node with REDIS_URL", () => {
  const current = useApp({ rateLimit: true });

  test("LIM-08: uses the Redis in the variable, and disconnects when it stops", async () => {
    const { config, db } = current();
    const app = await startApp({ ...config, redisUrl: redis().url }, db);
    const limit = app.services.createLimit("signed-in");
    await vi.waitFor(async () => {
      await limit("link");
      expect(await redis().client.exists("fettle:signed-in:link")).toBe(1);
    }, 60_000);

    await app.close();

    await vi.waitFor(async () => {
      const clients = await redis().client.client("LIST");
      expect(String(clients).trim().split("\n")).toHaveLength(1);
    }, 60_000);
  });
});

describe("counting in Redis", () => {
  test("LIM-08: shares buckets, with the same verdicts as in memory", async () => {
    const slow = { perSecond: 0.001, burst: 4, refusalsInFull: 2 };
    const rates = [slow, { ...slow, burst: 6 }];
    const one = createTokenBuckets((await aStore()).store, "shared", rates);
    const other = createTokenBuckets((await aStore()).store, "shared", rates);
    const kinds: string[] = [];
    for (const takeTokens of [one, other, one, other, one, other, one]) {
      kinds.push((await takeTokens(["person", "organization"])).kind);
    }

    expect(kinds).toEqual(["ok", "ok", "ok", "ok", "refused", "refused", "flood"]);
    expect(await other(["another", "organization"])).toEqual({ kind: "ok" });
    expect(await one(["another", "organization"])).toEqual({ kind: "ok" });
    const refusal = { kind: "refused", seconds: expect.any(Number) as number };
    expect(await other(["another", "organization"])).toEqual(refusal);
    const refused = await one(["third", "organization"]);
    expect(refused).toEqual(refusal);
    expect("seconds" in refused && refused.seconds > 900).toBe(true);
  });

  test("LIM-08: every key expires automatically, and a window restarts after its period", async () => {
    const { store } = await aStore();
    const windows = createWindows(store, "short", 50);
    expect(await windows.add("key")).toMatchObject({ count: 1 });
    expect((await windows.add("key", 0)).count).toBeLessThanOrEqual(1);
    await vi.waitFor(async () => {
      expect(await windows.add("key", 0)).toMatchObject({ count: 0 });
    }, 60_000);

    expect(await windows.add("key", -1)).toMatchObject({ count: 0 });
    await windows.begin("key", hourMs);
    expect(await windows.add("key")).toMatchObject({ count: 2 });
    await windows.forget("key");
    expect(await windows.add("key", 0)).toMatchObject({ count: 0 });
    for (const key of await redis().client.keys("*")) {
      expect(await redis().client.pttl(key), key).not.toBe(-1);
    }
  });

  test("LIM-21: admits as many simultaneous attempts as sequential ones", async () => {
    const nodes = [(await aStore()).store, (await aStore()).store, memoryStore];
    const throttles = nodes.map((store) => createSignInThrottle(store));
    const [one, other, inMemory] = throttles as [SignInThrottle, SignInThrottle, SignInThrottle];
    const letThrough = async (given: SignInThrottle[], toAddress: (n: number) => string) => {
      const tries = given.flatMap((throttle, node) =>
        Array.from({ length: 75 }, (_, n) =>
          throttle.begin("password", toAddress(75 * node + n), "burst@example.com"),
        ),
      );
      const outcomes = await Promise.allSettled(tries);
      return outcomes.filter(({ status }) => status === "fulfilled").length;
    };

    for (const given of [
      [one, other],
      [inMemory, inMemory],
    ]) {
      expect(await letThrough(given, () => "198.51.100.7")).toBe(5);
      await given[0]?.forget("password", "198.51.100.7", "burst@example.com");
      expect(await letThrough(given, (n) => `203.0.113.${n}`)).toBe(100);
    }
  });

  test("LIM-09: counts failed sign-ins across nodes, without storing personal addresses in Redis", async () => {
    const one = createSignInThrottle((await aStore()).store);
    const other = createSignInThrottle((await aStore()).store);
    for (const throttle of [one, other, one, other, one]) {
      await throttle.begin("password", "198.51.100.1", "rosa@example.com");
    }

    await expect(other.begin("password", "198.51.100.1", "rosa@example.com")).rejects.toMatchObject(
      {
        code: "rate_limited",
      },
    );
    await one.forget("password", "198.51.100.1", "rosa@example.com");
    await other.begin("password", "198.51.100.1", "rosa@example.com");
    expect((await redis().client.keys("*")).join(" ")).not.toContain("example.com");
  });
});

describe("Redis outages", () => {
  test("LIM-10: counts in memory while Redis is down, logs it once, and returns to Redis", async () => {
    const { store, said } = await aStore();
    const windows = createWindows(store, "killed", hourMs);
    expect(await windows.add("key")).toMatchObject({ count: 1 });

    await redis().stop();
    const counts: number[] = [];
    for (let n = 0; n < 3; n += 1) counts.push((await windows.add("key")).count);
    expect(counts).toEqual([1, 2, 3]);

    await redis().start();
    await vi.waitFor(async () => {
      expect(await windows.add("other")).toBeDefined();
      expect(await redis().client.exists("fettle:killed:other")).toBe(1);
    }, 60_000);
    expect(said).toEqual([inRedis, inMemory, inRedis]);
  });

  test("LIM-10: no request waits while Redis hangs", async () => {
    const { store, said } = await aStore(1000);
    const windows = createWindows(store, "hanging", hourMs);
    redis().signal("SIGSTOP");
    onTestFinished(() => {
      redis().signal("SIGCONT");
    });

    const uses = await Promise.all(Array.from({ length: 50 }, () => windows.add("key")));
    expect(uses.at(-1)).toMatchObject({ count: 50 });
    for (let n = 0; n < 50; n += 1) await windows.add("key");
    expect(said).toEqual([inRedis, inMemory]);

    redis().signal("SIGCONT");
    await vi.waitFor(async () => {
      await windows.add("other");
      expect(await redis().client.exists("fettle:hanging:other")).toBe(1);
    }, 60_000);
  });

  test("LIM-10: a node starts without Redis, and uses it once available", async () => {
    await redis().stop();
    const { store, said } = await aStore();
    const windows = createWindows(store, "late", hourMs);
    expect(await windows.add("key")).toMatchObject({ count: 1 });
    expect(said).toEqual([inMemory]);

    await redis().start();
    await vi.waitFor(() => {
      expect(said).toEqual([inMemory, inRedis]);
    }, 60_000);
    expect(await windows.add("key")).toMatchObject({ count: 1 });
  });

  test("LIM-10: falls back to memory when Redis refuses writes", async () => {
    const { store, said } = await aStore();
    const windows = createWindows(store, "full", hourMs);
    await redis().client.config("SET", "maxmemory", "1");
    onTestFinished(async () => {
      await redis().client.config("SET", "maxmemory", "0");
    });

    for (let n = 1; n <= 3; n += 1) {
      expect(await windows.add("key")).toMatchObject({ count: n });
    }
    expect(said).toEqual([inRedis, inMemory]);
  });
});

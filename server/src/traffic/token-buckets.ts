import { LruMap } from "toad-cache";
import type { BucketRate } from "./bounds.js";
import { maxKeysInMemory, type CounterStore } from "./counter-store.js";

export type BucketVerdict = { kind: "ok" } | { kind: "refused" | "flood"; seconds: number };

/** When the buckets of calls and of refusals are full again (generic cell rate algorithm). */
interface Bucket {
  calls: number;
  refusals: number;
}

type Taken = [kind: BucketVerdict["kind"], waitMs: number];

const take = {
  name: "takeTokens",
  lua: `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local function draw(key, field, interval, size)
      local full = math.max(tonumber(redis.call('HGET', key, field) or 0), now) + interval
      local wait = full - size * interval - now
      if wait <= 0 then
        redis.call('HSET', key, field, full)
        redis.call('PEXPIRE', key, 2 * size * interval)
      end
      return wait
    end
    for i, key in ipairs(KEYS) do
      local interval, burst, inFull = unpack(ARGV, 3 * i - 2, 3 * i)
      local wait = draw(key, 'calls', interval, burst)
      if wait > 0 then
        if draw(key, 'refusals', 2 * interval, inFull) > 0 then return {'flood', wait} end
        return {'refused', wait}
      end
    end
    return {'ok', 0}`,
};

/** Takes a token for each rate, in order, from its key's bucket. The first empty bucket refuses. */
export function createTokenBuckets(
  store: CounterStore,
  name: string,
  rates: readonly BucketRate[],
): (keys: readonly string[]) => Promise<BucketVerdict> {
  const kept = rates.map((rate) => ({ rate, buckets: new LruMap<Bucket>(maxKeysInMemory) }));
  const args = rates.flatMap(({ perSecond, burst, refusalsInFull }) => [
    ...[1000 / perSecond, burst, refusalsInFull],
  ]);

  const takeLocally = (keys: readonly string[]): Taken => {
    for (const [index, { rate, buckets }] of kept.entries()) {
      const key = keys[index] ?? "";
      const bucket = buckets.get(key) ?? { calls: 0, refusals: 0 };
      buckets.set(key, bucket);
      const taken = takeFrom(bucket, rate);
      if (taken[0] !== "ok") return taken;
    }
    return ["ok", 0];
  };

  return async (keys) => {
    const [kind, waitMs] = await store.count({
      script: take,
      keys: keys.map((key) => `${name}:${key}`),
      args,
      local: () => takeLocally(keys),
    });
    return kind === "ok" ? { kind } : { kind, seconds: Math.max(1, Math.ceil(waitMs / 1000)) };
  };
}

function takeFrom(bucket: Bucket, { perSecond, burst, refusalsInFull }: BucketRate): Taken {
  const interval = 1000 / perSecond;
  const waitMs = draw(bucket, "calls", interval, burst);
  if (waitMs <= 0) return ["ok", 0];
  // Refusals refill more slowly than calls. A client that only waits is never cut off.
  const isFlood = draw(bucket, "refusals", 2 * interval, refusalsInFull) > 0;
  return [isFlood ? "flood" : "refused", waitMs];
}

/** Returns the milliseconds to wait. If not positive, a token was taken. */
function draw(bucket: Bucket, field: keyof Bucket, interval: number, size: number): number {
  const now = Date.now();
  // Buckets fill up before that, unless the clock was set back.
  const held = bucket[field] > now + size * interval ? now : bucket[field];
  const full = Math.max(held, now) + interval;
  const waitMs = full - size * interval - now;
  if (waitMs <= 0) bucket[field] = full;
  return waitMs;
}

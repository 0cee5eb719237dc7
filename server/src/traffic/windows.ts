import { LruMap } from "toad-cache";
import { maxKeysInMemory, type CounterStore } from "./counter-store.js";

export interface Use {
  count: number;
  /** Milliseconds until the count restarts. */
  msLeft: number;
}

/** Counts per key in a time window that begins with the first event. */
export interface Windows {
  /** Adds one or more, or undoes with a negative number. 0 only reads. */
  add: (key: string, by?: number) => Promise<Use>;
  /** Starts a window of another length with a count of one. */
  begin: (key: string, ms: number) => Promise<void>;
  forget: (key: string) => Promise<void>;
  /**
   * For scripts that count several things in one step: the key in Redis, and the in-memory
   * equivalent.
   */
  toKey: (key: string) => string;
  addLocally: (key: string, by: number) => Pair;
  beginLocally: (key: string, ms: number) => Pair;
}

const add = {
  name: "addToWindow",
  lua: `
    local count = math.max(0, tonumber(redis.call('GET', KEYS[1]) or 0) + tonumber(ARGV[1]))
    local left = redis.call('PTTL', KEYS[1])
    if left < 1 then left = tonumber(ARGV[2]) end
    if count > 0 then redis.call('SET', KEYS[1], count, 'PX', left)
    else redis.call('DEL', KEYS[1]) end
    return {count, left}`,
};
const begin = {
  name: "beginWindow",
  lua: "redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) return {1, tonumber(ARGV[1])}",
};
const forget = { name: "forgetWindow", lua: "redis.call('DEL', KEYS[1]) return {0, 0}" };

type Pair = [count: number, msLeft: number];

/** `name` separates the counters of different limits. */
export function createWindows(store: CounterStore, name: string, windowMs: number): Windows {
  const held = new LruMap<{ count: number; ms: number; endsAt: number }>(maxKeysInMemory);

  const addLocally = (key: string, by: number): Pair => {
    const now = Date.now();
    const kept = held.get(key);
    const left = (kept?.endsAt ?? 0) - now;
    // If the clock was set back, more than the whole window would remain.
    const present = kept !== undefined && left > 0 && left <= kept.ms ? kept : undefined;
    const count = Math.max(0, (present?.count ?? 0) + by);
    const { ms, endsAt } = present ?? { ms: windowMs, endsAt: now + windowMs };
    if (count > 0) held.set(key, { count, ms, endsAt });
    else held.delete(key);
    return [count, endsAt - now];
  };
  const beginLocally = (key: string, ms: number): Pair => {
    held.set(key, { count: 1, ms, endsAt: Date.now() + ms });
    return [1, ms];
  };
  const forgetLocally = (key: string): Pair => {
    held.delete(key);
    return [0, 0];
  };
  const toKey = (key: string) => `${name}:${key}`;
  return {
    toKey,
    addLocally,
    beginLocally,
    add: async (key, by = 1) => {
      const local = () => addLocally(key, by);
      const counting = { script: add, keys: [toKey(key)], args: [by, windowMs], local };
      const [count, msLeft] = await store.count(counting);
      return { count, msLeft };
    },
    begin: async (key, ms) => {
      const local = () => beginLocally(key, ms);
      await store.count({ script: begin, keys: [toKey(key)], args: [ms], local });
    },
    forget: async (key) => {
      const local = () => forgetLocally(key);
      await store.count({ script: forget, keys: [toKey(key)], args: [], local });
    },
  };
}

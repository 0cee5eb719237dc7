import type { Redis } from "ioredis";

/** A counter update in one step in Redis. `local` is the in-memory equivalent. */
export interface Counting<Result> {
  script: { name: string; lua: string };
  keys: readonly string[];
  args: readonly (string | number)[];
  local: () => Result;
}

export interface CounterStore {
  count: <Result>(counting: Counting<Result>) => Promise<Result>;
  close: () => void;
}

/** In a node's memory, each limit drops its least recently used keys beyond this number. */
export const maxKeysInMemory = 20_000;

/** For single-node servers and tests. */
export const memoryStore: CounterStore = {
  count: async ({ local }) => local(),
  close: () => undefined,
};

interface Log {
  info: (message: string) => void;
  warn: (details: object, message: string) => void;
}

/** Requests wait at most this long for Redis, and not at all while it is unreachable. */
const defaultPatienceMs = 50;
const maxStartMs = 1000;
const retryMs = 1000;

/**
 * Counts in Redis, shared by all nodes. While Redis is unreachable or slow, each node counts in its
 * own memory, from zero. Limits are then looser for a while, and nothing fails.
 */
export async function openRedisStore(
  url: string,
  log: Log,
  patienceMs = defaultPatienceMs,
): Promise<CounterStore> {
  const redis = await connect(url);
  let isUsed: boolean | undefined;
  let isLate = false;
  const noteUse = () => {
    if (isUsed === true || isLate) return;
    isUsed = true;
    log.info("limits are counted in Redis");
  };
  const noteLoss = (error?: Error) => {
    if (isUsed === false) return;
    isUsed = false;
    // Not the error, because it contains the command with its keys.
    const reason = error?.message ?? "the connection was closed";
    log.warn({ reason }, "limits are counted in the memory of this node: Redis is away");
  };
  /** A late response delays those behind it. Counts in memory until a new connection is ready. */
  const giveUpConnection = () => {
    if (isLate) return;
    isLate = true;
    redis.disconnect(true);
  };
  redis.on("ready", () => {
    isLate = false;
    noteUse();
  });
  redis.on("error", noteLoss);
  redis.on("close", noteLoss);
  await startWithin(redis, maxStartMs);

  return {
    count: async <Result>({ script, keys, args, local }: Counting<Result>) => {
      if (redis.status !== "ready" || isLate) return local();
      try {
        const answer = run(redis, script, [keys.length, ...keys, ...args]);
        const result = await inTime(answer, patienceMs);
        noteUse();
        return result as Result;
      } catch (error) {
        noteLoss(error as Error);
        if (error instanceof LateError) giveUpConnection();
        return local();
      }
    },
    close: () => {
      redis.off("close", noteLoss);
      redis.disconnect();
    },
  };
}

/** Imported only if Redis is configured. */
async function connect(url: string): Promise<Redis> {
  const { Redis: Client } = await import("ioredis");
  return new Client(url, {
    keyPrefix: "fettle:",
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: maxStartMs,
    // For a connection that hangs while connecting. Others are closed above.
    socketTimeout: 2 * maxStartMs,
    retryStrategy: () => retryMs,
  });
}

/** Tries once to reach Redis. Rejects with the client's error. */
export async function tryRedis(url: string): Promise<void> {
  const redis = await connect(url);
  // The rejection reports the error.
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

async function startWithin(redis: Redis, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  // An event also reports the failure, and the client continues to retry.
  await Promise.race([redis.connect().catch(() => undefined), tooLate]);
  clearTimeout(timer);
}

function run(
  redis: Redis,
  { name, lua }: Counting<unknown>["script"],
  args: readonly (string | number)[],
): Promise<unknown> {
  const commands = redis as unknown as Record<
    string,
    ((...args: readonly (string | number)[]) => Promise<unknown>) | undefined
  >;
  // Sends the script's hash, and its text only if Redis doesn't know it.
  if (commands[name] === undefined) redis.defineCommand(name, { lua });
  const command = commands[name];
  if (command === undefined) throw new Error(`The script ${name} is not defined.`);
  return command.apply(redis, [...args]);
}

class LateError extends Error {}

function inTime<Result>(answer: Promise<Result>, patienceMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // If this process was the busy one, the response is already in the socket. Reads it first.
      setImmediate(() => {
        reject(new LateError("Redis did not answer in time"));
      });
    }, patienceMs);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

import type { Redis } from "ioredis";

/** What is counted in Redis in one step; `local` does the same in the memory of this node. */
export interface Counting<Result> {
  script: { name: string; lua: string };
  keys: readonly string[];
  args: readonly (string | number)[];
  local: () => Result;
}

/** Where limits count. */
export interface CounterStore {
  count: <Result>(counting: Counting<Result>) => Promise<Result>;
  close: () => void;
}

/** Each limit forgets its least recently used keys beyond this many, in the memory of a node. */
export const maxKeysInMemory = 20_000;

/** For a single node, and for tests. */
export const memoryStore: CounterStore = {
  count: async ({ local }) => local(),
  close: () => undefined,
};

interface Log {
  info: (message: string) => void;
  warn: (details: object, message: string) => void;
}

/** No request waits longer than this for Redis, and while it is away none does. */
const defaultPatienceMs = 50;
const maxStartMs = 1000;
const retryMs = 1000;

/**
 * Counts in Redis, so that all nodes count together. While Redis is away, or answers too late, each
 * node counts in its own memory, from zero: limits are then looser for a while, and nothing fails.
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
    // Not the error itself: it carries the command with its keys.
    const reason = error?.message ?? "the connection was closed";
    log.warn({ reason }, "limits are counted in the memory of this node: Redis is away");
  };
  /** After one late answer come others: memory, until a new connection is ready. */
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

/** Loaded only by those who use it. */
async function connect(url: string): Promise<Redis> {
  const { Redis: Client } = await import("ioredis");
  return new Client(url, {
    keyPrefix: "fettle:",
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: maxStartMs,
    // Of a connection that hangs while it is made; others are ended above.
    socketTimeout: 2 * maxStartMs,
    retryStrategy: () => retryMs,
  });
}

/** Whether Redis answers, tried once. Rejects with what the client says. */
export async function tryRedis(url: string): Promise<void> {
  const redis = await connect(url);
  // Told by the rejection.
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
  // A failure is told by the event as well, and the client goes on trying.
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
  // Sends the hash of the script, and its text only to a Redis that does not know it.
  if (commands[name] === undefined) redis.defineCommand(name, { lua });
  const command = commands[name];
  if (command === undefined) throw new Error(`The script ${name} is not defined.`);
  return command.apply(redis, [...args]);
}

class LateError extends Error {}

function inTime<Result>(answer: Promise<Result>, patienceMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // When this process was the busy one, the answer lies in the socket: it is read first.
      setImmediate(() => {
        reject(new LateError("Redis did not answer in time"));
      });
    }, patienceMs);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

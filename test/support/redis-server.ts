import { spawn } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { afterAll, beforeAll } from "vitest";
import { findFreePort } from "./app.js";

export interface RedisServer {
  url: string;
  client: Redis;
  signal: (signal: NodeJS.Signals) => void;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a Redis server for the test, without persistence. */
export function useRedis(): () => RedisServer {
  let current: RedisServer | undefined;
  beforeAll(async () => {
    current = await startRedis();
  });
  afterAll(async () => {
    current?.client.disconnect();
    await current?.stop();
  });
  return () => {
    if (current === undefined) throw new Error("Redis is there only while tests run.");
    return current;
  };
}

async function startRedis(): Promise<RedisServer> {
  const port = await findFreePort();
  let child = await run(port);
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  return {
    url,
    client,
    signal: (signal) => child.kill(signal),
    start: async () => {
      child = await run(port);
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function run(port: number) {
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
  const child = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  await new Promise<void>((ready, failed) => {
    child.stdout.on("data", (part) => {
      output += String(part);
      if (output.includes("Ready to accept connections")) ready();
    });
    child.once("error", (cause) => {
      failed(new Error("redis-server cannot be started; install it.", { cause }));
    });
    child.once("exit", () => {
      failed(new Error(`redis-server ended at once: ${output}`));
    });
  });
  return child;
}
